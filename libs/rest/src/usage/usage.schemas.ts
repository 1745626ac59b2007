import { z } from 'zod';
import { CallKind } from './call-kind.js';

// Calls and sums of them, in answers.

const uuid = z.uuid();
const moment = z.iso.datetime();
const credits = z.int();
const label = z.string().regex(/^\d{4}w\d{2}$/);

/** The state of a key in a window. */
export const WindowKey = z
  .strictObject({
    key: z.string(),
    window: label,
    first_call_at: moment,
    calls: z.int().min(1),
    credits_used: credits,
    window_ends_at: moment,
  })
  .meta({ id: 'WindowKey' });

/** Sums, with what they are grouped by. */
export const Usage = z
  .strictObject({
    day: z.iso.date().optional(),
    window: label.optional(),
    month: z.string().optional(),
    resource: z.string().optional(),
    region: z.string().optional(),
    rule: z.string().optional(),
    kind: CallKind.optional(),
    api_key: uuid.optional().meta({ description: 'Id of the API key.' }),
    key: z.string().optional(),
    tags: z.record(z.string(), z.string().nullable()).nullable().optional().meta({
      description:
        'Of `tag:team` the value of `team`, null where calls have none; of `tags` all tags of the calls, null where they have none.',
    }),
    calls: z.int(),
    call_cost: credits,
    data_cost: credits,
    credits_used: credits,
  })
  .meta({
    id: 'Usage',
    description: 'Sums of calls. Each has the members that it is grouped by.',
  });

const call = z.strictObject({
  call_id: uuid,
  at: moment,
  key: z.string(),
  kind: CallKind,
  call_cost: credits,
  data_cost: credits,
  credits_used: credits,
  balance_after: credits,
  api_key_id: uuid,
  tags: z.record(z.string(), z.string()).nullable(),
});

/** A call in a list. */
export const Call = call.meta({ id: 'Call' });

/** A call that drew on a grant. */
export const GrantCall = call
  .extend({
    credits_drawn: credits.meta({ description: 'Credits that the call drew on this grant.' }),
  })
  .meta({ id: 'GrantCall' });

/** Why one call cost what it cost. */
export const CallExplanation = call
  .extend({
    account_id: uuid,
    asked: z.string().meta({ description: 'The path as it was sent.' }),
    window: label.meta({ description: 'The running window, which the call was charged in.' }),
    data_window: label.meta({ description: 'The window whose data was read.' }),
    window_starts_at: moment,
    window_ends_at: moment,
    window_local: z.strictObject({ zone: z.string(), starts: z.string(), ends: z.string() }),
    opened_by: z.strictObject({ call_id: uuid, at: moment }),
    rate_card: z.int(),
    rule: z.string(),
    rows: z.int(),
    release: z.string(),
    draws: z.array(z.strictObject({ grant_id: uuid, credits })),
    overdraft_credits: credits,
    balance_before: credits,
    log: z.strictObject({ lane: z.int(), position: z.int(), account_version: z.int() }),
    adjusted_by: uuid.nullable().meta({ description: 'Id of the adjustment that gave it back.' }),
    credited_by: z
      .array(z.string())
      .meta({ description: 'Numbers of the credit notes that name it.' }),
    invoice_line: z
      .strictObject({ number: z.string(), line: z.int() })
      .nullable()
      .meta({ description: 'The line of the invoice that counts it; null before that is issued.' }),
  })
  .meta({ id: 'CallExplanation' });

/** An event of an account as it stands in the log. */
export const Event = z
  .strictObject({
    lane: z.int(),
    position: z.int(),
    account_version: z.int(),
    type: z.string(),
    at: moment,
    call_id: uuid.nullable().meta({ description: 'The command that made it; null: it fell due.' }),
    data: z.record(z.string(), z.unknown()),
  })
  .meta({ id: 'Event' });
