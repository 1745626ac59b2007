import type pg from 'pg';
import type { StoredEvent } from '#event-log/event-log.js';
import { laneOf, type EventLog } from '#event-log/event-log.js';
import {
  queryAnswering,
  queryAnsweringAtOnce,
  requireComplete,
} from '#event-log/query-answering.js';
import type { DueMonth } from '#projections/invoices/account-closes.js';
import { sellerVersion, stands } from '#projections/invoices/held-invoices.js';
import type { RunReach } from './invoice-run-events.js';
import { sealedDocument, type SealedDocument } from './sealed-document.js';

const ACCOUNTS_MAX = 200;
const DOCUMENTS_MAX = 500;

interface Row {
  readonly account_id: string;
  readonly month: string;
  readonly first_version: number;
  readonly close_version: number;
}

/** The end of a page of months, in the order of their list. */
export type DuePlace = Pick<DueMonth, 'month' | 'accountId'>;

/** A row that holds the month of another one, and that no fact has changed since. */
function heldMonth(of: string): string {
  return `select from held_invoice h
           where (h.lane, h.account_id, h.month) = (${of}.lane, ${of}.account_id, ${of}.month)
             and h.is_month and ${stands('$6')}`;
}

/**
 * Closed months to invoice as the projection knows them, the oldest one of each sound account
 * that is not held, after a place in their order: by month, lane and account. `upTo`: none after
 * that month, and none left out; null: those of the lanes that answer.
 */
export async function readMonthsToInvoice(
  pool: pg.Pool,
  limit: number,
  upTo: string | null,
  after: DuePlace | null,
): Promise<DueMonth[]> {
  const seller = await sellerVersion(pool);
  const answers = await queryAnswering<Row>(pool, {
    name: 'invoice-months-due',
    text: `select account_id, month, first_version, close_version from invoice_month m
            where is_billable and not is_sealed and ($2::text is null or month <= $2)
              and not exists (select from damaged_account x
                               where x.lane = m.lane and x.account_id = m.account_id)
              and ($3::text is null or (month, lane, account_id) > ($3, $4::smallint, $5::uuid))
              and not exists (${heldMonth('m')})
              and not exists (
                    select from invoice_month o
                     where o.lane = m.lane and o.account_id = m.account_id and o.month < m.month
                       and o.is_billable and not o.is_sealed and not exists (${heldMonth('o')}))
            order by month, lane, account_id limit $1`,
    values: [
      limit,
      upTo,
      after?.month ?? null,
      after && laneOf(after.accountId),
      after?.accountId ?? null,
      seller,
    ],
  });
  const rows = upTo === null ? answers.rows : requireComplete(answers);
  return rows.map(dueMonth).toSorted(byPlace).slice(0, limit);
}

/** By month, lane and account. */
function byPlace(one: DueMonth, other: DueMonth): number {
  const lanes = laneOf(one.accountId) - laneOf(other.accountId);
  if (one.month !== other.month) return one.month < other.month ? -1 : 1;
  return lanes || (one.accountId < other.accountId ? -1 : 1);
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

/** How many accounts have something to bill in a month, and how many of them have an invoice. */
export async function readReach(
  pool: pg.Pool,
  month: string,
  accountId: string | null,
): Promise<RunReach> {
  const { rows } = await pool.query<RunReach>({
    name: 'invoice-months-reach',
    text: `select count(*) as accounts, count(*) filter (where is_sealed) as done
             from invoice_month
            where month = $1 and is_billable and ($2::uuid is null or account_id = $2)`,
    values: [month, accountId],
  });
  const [reach] = rows;
  if (reach === undefined) throw new Error('The database counted nothing.');
  return reach;
}

/** Accounts with documents to issue as the projection knows them, and that nothing holds. */
export async function readAccountsToIssue(pool: pg.Pool): Promise<readonly string[]> {
  const seller = await sellerVersion(pool);
  const { rows } = await queryAnswering<{ account_id: string }>(pool, {
    name: 'documents-due',
    text: `select distinct account_id from document_due d
            where not exists (select from damaged_account x
                               where x.lane = d.lane and x.account_id = d.account_id)
              and not exists (select from held_invoice h
                               where (h.lane, h.account_id, h.document_id)
                                     = (d.lane, d.account_id, d.document_id)
                                 and ${stands('$1')})
            limit ${ACCOUNTS_MAX}`,
    values: [seller],
  });
  return rows.slice(0, ACCOUNTS_MAX).map(({ account_id: accountId }) => accountId);
}

interface UnnumberedDocument {
  readonly id: string;
  readonly account_id: string;
  /** 1: invoice, 2: credit note. */
  readonly kind: number;
  readonly month: string;
}

function byKind(one: UnnumberedDocument, other: UnnumberedDocument): number {
  if (one.kind !== other.kind) return one.kind - other.kind;
  if (one.month !== other.month) return one.month < other.month ? -1 : 1;
  return one.account_id < other.account_id ? -1 : 1;
}

/**
 * Sealed documents without a number, because their process failed, in the lanes that answer. Oldest
 * first.
 */
export async function readUnnumbered(
  pool: pg.Pool,
  log: Pick<EventLog, 'findCalls'>,
): Promise<SealedDocument[]> {
  const { rows } = await queryAnsweringAtOnce<UnnumberedDocument>(pool, {
    name: 'invoices-stranded',
    text: `select d.id, d.account_id, d.kind, d.month
             from (select lane, id, account_id, 1 as kind, month from invoice
                   union all select lane, id, account_id, 2, month from credit_note) d
            where not exists (select from damaged_account x
                               where x.lane = d.lane
                                 and x.account_id = d.account_id)
              and not exists (select from invoice_number n where n.document_id = d.id)
            order by kind, month, account_id limit ${DOCUMENTS_MAX}`,
  });
  const first = rows.toSorted(byKind).slice(0, DOCUMENTS_MAX);
  const events = await log.findCalls(
    first.map(({ id, account_id }) => ({ lane: laneOf(account_id), callId: id })),
  );
  const byId = new Map<string | null, StoredEvent>(events.map((event) => [event.callId, event]));
  return first.flatMap(({ id }) => {
    const event = byId.get(id);
    return event === undefined ? [] : [sealedDocument(event)];
  });
}

const CANDIDATES = `
select distinct i.account_id
  from invoice i join ledger_account a using (lane, account_id)
 where a.state ->> 'testClock' is null
   and not exists (select from damaged_account x
                    where x.lane = i.lane and x.account_id = i.account_id)
   and i.due_date < $1 and i.paid + i.credited + i.written_off < i.total`;
const OVERDUE = `${CANDIDATES} and not i.is_overdue`;
const REMINDED = `${CANDIDATES} and i.is_overdue and i.paid + i.credited < i.total
   and not i.reminders_stopped
   and exists (select from unnest($2::int[]) as after (days)
                where after.days > i.reminded_days
                  and i.due_date::date + after.days <= $1::text::date)`;

/**
 * Accounts in real time that may have an overdue invoice to report, or a reminder. `today`: day of
 * the billing zone; `days`: days after the due date on which the seller reminds.
 */
export async function readAccountsOverdue(
  pool: pg.Pool,
  today: string,
  days: readonly number[],
): Promise<readonly string[]> {
  const { rows } = await queryAnswering<{ account_id: string }>(pool, {
    name: 'invoices-overdue-candidates',
    text: `(${OVERDUE} limit ${ACCOUNTS_MAX})
           union (${REMINDED} limit ${ACCOUNTS_MAX})`,
    values: [today, days],
  });
  return rows.map(({ account_id: accountId }) => accountId);
}
