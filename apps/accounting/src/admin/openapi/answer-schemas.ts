import { z } from 'zod';
import { invoiceLineAnswer } from '#ledger/invoice-schemas.js';
import { EXPORT_ANSWERS } from './export-answers.js';
import { INVOICE_ANSWERS } from './invoice-answers.js';
import { SAFETY_ANSWERS } from './safety-schemas.js';

// What answers look like. The suite of the routes holds every answer against these.

const uuid = z.uuid();
const moment = z.iso.datetime();
const credits = z.int();
const label = z.string().regex(/^\d{4}w\d{2}$/);

const windowKey = z.strictObject({
  key: z.string(),
  window: label,
  first_call_at: moment,
  calls: z.int(),
  credits_used: credits,
  window_ends_at: moment,
});

const callMembers = {
  call_id: uuid,
  at: moment,
  key: z.string(),
  kind: z.enum(['base', 'repeat']),
  call_cost: credits,
  data_cost: credits,
  credits_used: credits,
  balance_after: credits,
  api_key_id: uuid,
  tags: z.record(z.string(), z.string()).nullable(),
} as const;

const usage = z
  .strictObject({
    day: z.iso.date().optional(),
    window: label.optional(),
    month: z.string().optional(),
    resource: z.string().optional(),
    region: z.string().optional(),
    rule: z.string().optional(),
    kind: z.enum(['base', 'repeat']).optional(),
    api_key: uuid.optional().meta({ description: 'Id of the API key.' }),
    key: z.string().optional(),
    tag: z.string().nullable().optional().meta({
      description: '`name=value`; null: no tag. A call with several counts under each of them.',
    }),
    calls: z.int(),
    call_cost: credits,
    data_cost: credits,
    credits_used: credits,
  })
  .meta({ description: 'Sums, with what they are grouped by.' });

const explanation = z.strictObject({
  ...callMembers,
  account_id: uuid,
  asked: z.string().meta({ description: 'The path as it was sent.' }),
  window: label,
  data_window: label,
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
  invoice_line: invoiceLineAnswer,
});

const event = z.strictObject({
  lane: z.int(),
  position: z.int(),
  account_version: z.int(),
  type: z.string(),
  at: moment,
  call_id: uuid.nullable().meta({ description: 'The command that made it; null: it fell due.' }),
  data: z.record(z.string(), z.unknown()),
});

const rebuild = z.strictObject({
  status: z.enum(['running', 'done', 'failed']),
  stage: z.enum(['building', 'switching', 'catching-up']),
  started_at: moment,
  ended_at: moment.nullable(),
  events: z.int().meta({ description: 'Events applied so far.' }),
  events_total: z.int().meta({ description: 'Events to apply, as far as is known by now.' }),
  error: z.string().nullable(),
});

const damagedAccount = z.strictObject({
  account_id: uuid,
  lane: z.int(),
  position: z.int().meta({ description: 'Of the event that cannot be applied.' }),
  account_version: z.int(),
  error: z.string(),
});

const finding = z.strictObject({
  table: z.string(),
  key: z.string().meta({ description: 'Names the row.' }),
  expected: z.unknown(),
  found: z.unknown(),
});

/** Schemas of answers by the name that the document gives them. */
export const ANSWERS = {
  WindowKey: windowKey,
  Call: z.strictObject(callMembers),
  GrantCall: z.strictObject({
    ...callMembers,
    credits_drawn: credits.meta({ description: 'What the call drew on that grant.' }),
  }),
  Usage: usage,
  CallExplanation: explanation,
  Event: event,
  ...SAFETY_ANSWERS,
  ...INVOICE_ANSWERS,
  ...EXPORT_ANSWERS,
  Release: z.strictObject({
    release: z.string(),
    window: label.meta({ description: 'The first window that it serves.' }),
    through: z.string().meta({ description: 'The newest month that it holds.' }),
    sha256: z.string(),
    published_at: moment,
    categories: z.int(),
    brands: z.int(),
    relations: z.int(),
    volumes: z.int(),
  }),
  Projection: z.strictObject({
    name: z.string(),
    version: z.int(),
    status: z.enum(['stopped', 'running', 'waiting-for-database', 'outdated', 'failed']),
    lag: z.int().meta({ description: 'Events of the log that its tables do not hold yet.' }),
    error: z.string().nullable(),
    rebuild: rebuild.nullable().meta({ description: 'The latest that this process began.' }),
    damaged_accounts: z.array(damagedAccount).meta({
      description: 'Accounts with an event that cannot be applied, the first 100.',
    }),
  }),
  Rebuild: rebuild,
  LossAcknowledgement: z.strictObject({
    acknowledged: z
      .array(
        z.strictObject({
          lane: z.int(),
          from: z.int().meta({ description: 'The position that a process knew.' }),
          to: z.int().nullable().meta({
            description: 'Where the lane stood then; null: as far, or further, with other events.',
          }),
        }),
      )
      .meta({ description: 'Losses that stood; none where there was nothing to acknowledge.' }),
  }),
  Verification: z.strictObject({
    status: z.enum(['running', 'done', 'failed']),
    started_at: moment,
    ended_at: moment.nullable(),
    lanes: z.int(),
    lanes_total: z.int(),
    events: z.int(),
    events_total: z.int().meta({ description: 'Events in the log when it began.' }),
    intact: z.boolean().nullable().meta({ description: 'Whether nothing differs; null before.' }),
    checks: z
      .array(
        z.strictObject({
          check: z.string(),
          rule: z.string(),
          differences: z.int().meta({ description: 'How many rows differ.' }),
          first: finding.nullable(),
        }),
      )
      .nullable(),
    not_covered: z
      .array(z.string())
      .nullable()
      .meta({ description: 'What could not be looked at, in sentences; null before.' }),
    error: z.string().nullable(),
  }),
} as const;

export type AnswerName = keyof typeof ANSWERS;
