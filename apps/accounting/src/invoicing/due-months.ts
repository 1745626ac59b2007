import type pg from 'pg';
import type { StoredEvent } from '#event-log/event-log.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import type { ClosedMonth } from '#ledger/closed-months.js';
import { readChanges } from '#ledger/month-events.js';
import { sealedDocument, type SealedDocument } from './sealed-document.js';

/** A closed month by its label. */
export interface DueMonth extends ClosedMonth {
  readonly month: string;
}

interface Row {
  readonly account_id: string;
  readonly month: string;
  readonly first_version: number;
  readonly close_version: number;
}

/**
 * Months that are to be invoiced, the oldest one of each account, as the projection knows them.
 * `upTo`: none after that month. `except`: ids of accounts that wait until somebody has looked.
 */
export async function readDueMonths(
  pool: pg.Pool,
  limit: number,
  upTo: string | null,
  except: readonly string[],
): Promise<DueMonth[]> {
  const { rows } = await pool.query<Row>({
    name: 'invoice-months-due',
    text: `select account_id, month, first_version, close_version from invoice_month
            where is_billable and not is_sealed and ($2::text is null or month <= $2)
              and account_id <> all ($3::uuid[])
            order by month, lane, account_id limit $1`,
    values: [limit, upTo, except],
  });
  const seen = new Set<string>();
  return rows.map(dueMonth).filter(({ accountId }) => !seen.has(accountId) && seen.add(accountId));
}

function dueMonth({ account_id, month, first_version, close_version }: Row): DueMonth {
  return {
    accountId: account_id,
    month,
    firstVersion: first_version,
    closeVersion: close_version,
  };
}

/** How many accounts have closed a month for which nothing is left to be done. */
export async function countDoneMonths(pool: pg.Pool, month: string): Promise<number> {
  const { rows } = await pool.query<{ count: number }>({
    name: 'invoice-months-done',
    text: `select count(*) as count from invoice_month
            where month = $1 and (is_sealed or not is_billable)`,
    values: [month],
  });
  return rows[0]?.count ?? 0;
}

/** Months of one account that the log holds, oldest first, after the one that is named. */
export async function readClosesOf(
  pool: pg.Pool,
  accountId: string,
  after: string | null,
): Promise<DueMonth[]> {
  const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
  const found = (await readChanges(pool, [all], ['MonthClosed'])).get(accountId) ?? [];
  return found.flatMap(({ stored, event }) => {
    if (event.type !== 'MonthClosed') return [];
    const { month, account_version: version } = event.data;
    if (after !== null && month <= after) return [];
    const closeVersion = stored.accountVersion;
    return [{ accountId, month, firstVersion: version.from, closeVersion }];
  });
}

const STRANDED_MAX = 500;

/** What was sealed and never numbered, because its process fell in between. Oldest first. */
export async function readStranded(
  pool: pg.Pool,
  log: Pick<EventLog, 'findCalls'>,
): Promise<SealedDocument[]> {
  const { rows } = await pool.query<{ id: string; account_id: string }>({
    name: 'invoices-stranded',
    text: `select d.id, d.account_id
             from (select id, account_id, 1 as kind, month from invoice
                   union all select id, account_id, 2, month from credit_note) d
            where not exists (select from invoice_number n where n.document_id = d.id)
            order by kind, month, account_id limit ${STRANDED_MAX}`,
  });
  const events = await log.findCalls(
    rows.map(({ id, account_id }) => ({ lane: laneOf(account_id), callId: id })),
  );
  const byId = new Map<string | null, StoredEvent>(events.map((event) => [event.callId, event]));
  return rows.flatMap(({ id }) => {
    const event = byId.get(id);
    return event === undefined ? [] : [sealedDocument(event)];
  });
}
