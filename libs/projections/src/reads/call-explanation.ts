import type pg from 'pg';
import { type CallMade, uncoveredOf, windowOfCall } from '#account/calls.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { windowOfKey } from '#rating/key-parts.js';
import { askedPath } from '#rating/resource-key.js';
import { readBilling } from '../invoices/account-billing.js';
import type { CallExplanation } from '../views/account-reads.js';
import { readApiKeyIds } from '../usage/api-keys.js';
import { callView } from '../usage/call-view.js';
import { invoiceLineOf } from '../invoices/invoice-line.js';
import { findNumbersOf } from '../invoices/issued-numbers.js';

/** The first call that opened a key for an account: its base call. */
async function readOpening(client: pg.ClientBase, stored: StoredEvent): Promise<StoredEvent> {
  const call = JSON.parse(stored.data) as CallMade;
  if (call.kind !== 'repeat') return stored;
  const { rows } = await client.query<EventRow>({
    name: 'opening-call',
    // The ledger's row, or where it is not written yet, the account's events after its row.
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = $1 and e.call_id = (
                    select call_id from ledger_opened
                     where lane = $1 and account_id = $2 and key = $3)
           union all
           select ${EVENT_COLUMNS} from event e
            where e.lane = $1 and e.account_id = $2 and e.type = 'CallMade'
              and e.account_version > coalesce((select version from ledger_account
                                                 where lane = $1 and account_id = $2), 0)
              and e.data ->> 'key' = $3 and e.data ->> 'kind' = 'base'`,
    values: [stored.lane, stored.accountId, call.key],
  });
  const [opening] = rows.map(toStoredEvent);
  if (opening === undefined) throw new Error(`Nobody opened the key of call ${stored.callId}.`);
  return opening;
}

/** Ids of grants (and of credits given by adjustments) by their ordinal in the account. */
async function readGrantIds(
  client: pg.ClientBase,
  stored: StoredEvent,
  ordinals: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  if (ordinals.length === 0) return new Map();
  const { rows } = await client.query<{ ordinal: number; id: string }>({
    name: 'grant-ids',
    text: `select (data ->> 'grant')::int as ordinal, data ->> 'grant_id' as id from event
            where lane = $1 and account_id = $2 and account_version < $3
              and type in ('CreditsGranted', 'Adjusted')
              and (data ->> 'grant')::int = any($4::int[])`,
    values: [stored.lane, stored.accountId, stored.accountVersion, ordinals],
  });
  return new Map(rows.map(({ ordinal, id }) => [ordinal, id]));
}

async function readAdjustment(client: pg.ClientBase, stored: StoredEvent): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>({
    name: 'adjustment-of',
    text: `select call_id as id from event
            where lane = $1 and account_id = $2 and account_version > $3
              and type = 'Adjusted' and data ->> 'call_id' = $4`,
    values: [stored.lane, stored.accountId, stored.accountVersion, stored.callId],
  });
  return rows[0]?.id ?? null;
}

/** Numbers of the credit notes that name the call, from the events about the account's invoices. */
async function readCredits(client: pg.ClientBase, stored: StoredEvent): Promise<string[]> {
  const { events } = await readBilling(client, stored.accountId);
  const ids = events.flatMap(({ type, data }) =>
    type === 'CreditNoteSealed' && data.lines.some(([, , callId]) => callId === stored.callId)
      ? [data.credit_note_id]
      : [],
  );
  return (await findNumbersOf(client, ids)).map(({ data }) => data.number);
}

/** Explains one call down to the rule, the grants and its place in the log. */
export async function explainCall(
  client: pg.ClientBase,
  stored: StoredEvent,
  account: AccountState,
  calendar: Calendar,
): Promise<CallExplanation> {
  const call = JSON.parse(stored.data) as CallMade;
  const keys = await readApiKeyIds(client, stored.accountId, account, [call.api_key]);
  const view = callView(keys)(stored);
  const opening = await readOpening(client, stored);
  const grantIds = await readGrantIds(
    client,
    stored,
    call.draws.map(([ordinal]) => ordinal),
  );
  const label = windowOfCall(call);
  const window = calendar.windowOf(label);
  if (window === undefined) throw new Error(`${label} is the label of no window.`);
  return {
    ...view,
    account_id: stored.accountId,
    asked: askedPath(call.key, call.asked),
    window: label,
    data_window: windowOfKey(call.key),
    window_starts_at: formatInstant(window.startsAt),
    window_ends_at: formatInstant(window.endsAt),
    window_local: {
      zone: calendar.zone,
      starts: calendar.localTime(window.startsAt),
      ends: calendar.localTime(window.endsAt),
    },
    opened_by: { call_id: opening.callId ?? '', at: formatMoment(opening.at) },
    rate_card: call.card,
    rule: call.rule,
    rows: call.rows,
    release: call.release,
    draws: call.draws.map(([ordinal, credits]) => ({
      grant_id: grantIds.get(ordinal) ?? '',
      credits,
    })),
    overdraft_credits: uncoveredOf(call),
    balance_before: call.balance + view.credits_used,
    log: {
      lane: stored.lane,
      position: stored.position,
      account_version: stored.accountVersion,
    },
    adjusted_by: await readAdjustment(client, stored),
    credited_by: await readCredits(client, stored),
    invoice_line: await invoiceLineOf(client, stored, account, calendar),
  };
}
