import type pg from 'pg';
import type { InvoiceSealed } from '#account/billing-events.js';
import { isTest, type InvoiceStatus } from '#invoice-rules/invoice.js';
import { stateOf } from '#invoice-rules/invoice-account.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { invoicesIn, readBilling, sumsOf } from '../invoices/account-billing.js';
import type { Page } from '../views/account-reads.js';
import { readSystemEvents } from '#event-log/system-events.js';
import type { CreditNoteNumbered } from '../events/number-events.js';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import type { CreditNoteFilter, CreditNoteSummary } from '../views/invoice-reads.js';
import type { InvoiceFilter, InvoiceSummary } from '../views/invoice-reads.js';
import { findNumbersOf, type IssuedNumber } from '../invoices/issued-numbers.js';
import { comparisonFor, pageOf } from '../views/pages.js';
import { withAccountNames } from './account-names.js';
import { accountToday, type LocalDates } from './account-today.js';

type PositionedItem<Item> = Item & { readonly position: number };

function withoutPlace<Item>({ position: _position, ...item }: PositionedItem<Item>): Item {
  return item as unknown as Item;
}

function placed<Item>(items: readonly PositionedItem<Item>[], limit: number): Page<Item> {
  return pageOf(items, limit, withoutPlace<Item>, ({ position }) => encodeCursor(position));
}

function passes(
  { month, test, after, order }: Pick<InvoiceFilter, 'month' | 'test' | 'after' | 'order'>,
  item: { readonly month: string; readonly test: boolean; readonly position: number },
): boolean {
  const place = placeOf(after);
  if (place !== null && (order === 'desc' ? item.position >= place : item.position <= place)) {
    return false;
  }
  return (month === null || item.month === month) && (test === null || item.test === test);
}

/** Invoices of one account, from the log. `today`: its local date. */
export async function invoicesOfAccount(
  client: pg.ClientBase,
  accountId: string,
  today: string,
  filter: InvoiceFilter,
): Promise<Page<InvoiceSummary>> {
  const billing = await readBilling(client, accountId);
  const invoices = new Map(invoicesIn(billing).map((data) => [data.invoice_id, data]));
  const numbers = await findNumbersOf(client, [...invoices.keys()]);
  const all = numbers.flatMap((number): PositionedItem<InvoiceSummary>[] => {
    const sealed = invoices.get(number.data.id);
    if (sealed === undefined) return [];
    const state = stateOf(sumsOf(sealed, billing), today);
    return [{ ...summaryOf(sealed, number), state }];
  });
  const { status, limit } = filter;
  const found = all.filter(
    (item) => passes(filter, item) && (status === null || item.state.status === status),
  );
  return placed(inOrder(found, filter).slice(0, limit + 1), limit);
}

function summaryOf(
  sealed: InvoiceSealed,
  { position, data }: IssuedNumber,
): Omit<PositionedItem<InvoiceSummary>, 'state'> {
  const { month, issue_date, due_date, currency, net, tax, total, series } = sealed;
  const { number, id, account_id } = data;
  const names = { number, type: 'invoice', id, account_id, test: isTest(series) } as const;
  return { position, ...names, month, issue_date, due_date, currency, net, tax, total };
}

interface InvoiceRow extends Omit<InvoiceSummary, 'type' | 'test' | 'state' | 'account_name'> {
  readonly position: number;
  readonly series: string;
  readonly paid: number;
  readonly credited: number;
  readonly written_off: number;
  readonly status: InvoiceStatus;
}

/** As `stateOf` of billing says it. */
const STATUS = `case when i.total > 0 and i.credited = i.total then 'credited'
  when i.paid + i.credited + i.written_off >= i.total
  then case when i.written_off > 0 then 'written_off' else 'paid' end when ${accountToday('$6', '$7')} > i.due_date then 'overdue'
  when i.paid > 0 then 'partly_paid' else 'issued' end`;

/** Invoices of all accounts, from the projection. */
export async function invoicesOfAll(
  client: pg.ClientBase,
  { ofTestClocks, today }: LocalDates,
  { month, status, test, after, limit, order = 'asc' }: InvoiceFilter,
): Promise<Page<InvoiceSummary>> {
  const { rows } = await client.query<InvoiceRow>({
    name: `invoices-all-${order}`,
    text: `select * from (
             select n.position, n.number, i.id, i.account_id, i.month, i.series, i.issue_date,
                    i.due_date, i.currency, i.net, i.tax, i.total, i.paid, i.credited,
                    i.written_off, ${STATUS} as status
               from invoice_number n
               join invoice i on i.lane = n.account_lane and i.id = n.document_id
               left join ledger_account a on a.lane = i.lane and a.account_id = i.account_id
              where n.lane = ${SYSTEM_LANE} and n.type = 'invoice'
                and ($1::bigint is null or n.position ${comparisonFor(order)} $1)
                and ($2::text is null or i.month = $2)
                and ($3::boolean is null or i.series like 'TEST-%' = $3)) listed
            where $4::text is null or status = $4
            order by position ${order} limit $5`,
    values: [placeOf(after), month, test, status, limit + 1, ofTestClocks, today],
  });
  return placed(await withAccountNames(client, rows.map(invoiceOfRow)), limit);
}

function invoiceOfRow({ series, paid, credited, written_off, status, ...row }: InvoiceRow) {
  const { position, number, id, account_id, ...rest } = row;
  const written = written_off === 0 ? {} : { written_off };
  const state = {
    status,
    paid,
    credited,
    ...written,
    due: row.total - paid - credited - written_off,
  };
  const names = { number, type: 'invoice' as const, id, account_id, test: isTest(series) };
  return { position, ...names, ...rest, state };
}

/** Credit notes of one account, from the log. */
export async function creditNotesOfAccount(
  client: pg.ClientBase,
  accountId: string,
  filter: CreditNoteFilter,
): Promise<Page<CreditNoteSummary>> {
  const { events } = await readBilling(client, accountId);
  const notes = new Map(
    events.flatMap(({ type, data }) =>
      type === 'CreditNoteSealed' ? [[data.credit_note_id, data] as const] : [],
    ),
  );
  const all = (await findNumbersOf(client, [...notes.keys()])).flatMap(({ position, data }) => {
    const sealed = notes.get(data.id);
    if (sealed === undefined || !('invoice_number' in data)) return [];
    const { number, id, account_id, invoice_number } = data;
    return [noteSummary({ ...sealed, position, number, id, account_id, invoice_number })];
  });
  const found = all.filter((item) => passes(filter, item));
  return placed(inOrder(found, filter).slice(0, filter.limit + 1), filter.limit);
}

interface NoteRow extends Omit<CreditNoteSummary, 'type' | 'test'> {
  readonly position: number;
  readonly series: string;
}

/** Credit notes of all accounts, from the projection. */
export async function creditNotesOfAll(
  client: pg.ClientBase,
  { month, test, after, limit, order = 'asc' }: CreditNoteFilter,
): Promise<Page<CreditNoteSummary>> {
  const { rows } = await client.query<Omit<NoteRow, 'invoice_number'>>({
    name: `credit-notes-all-${order}`,
    text: `select n.position, n.number, c.id, c.account_id, c.month, c.series, c.issue_date,
                  c.currency, c.net, c.tax, c.total
             from invoice_number n
             join credit_note c on c.lane = n.account_lane and c.id = n.document_id
            where n.lane = ${SYSTEM_LANE} and n.type = 'credit_note'
              and ($1::bigint is null or n.position ${comparisonFor(order)} $1)
              and ($2::text is null or c.month = $2)
              and ($3::boolean is null or c.series like 'TEST-%' = $3)
            order by n.position ${order} limit $4`,
    values: [placeOf(after), month, test, limit + 1],
  });
  const events = await readSystemEvents(
    client,
    rows.map(({ position }) => position),
  );
  const data = new Map(events.map((event) => [event.position, event.data]));
  const named = rows.map((row) => {
    const { invoice_number } = JSON.parse(data.get(row.position) ?? '{}') as CreditNoteNumbered;
    return noteSummary({ ...row, invoice_number });
  });
  return placed(named, limit);
}

/** Events hold what is credited; the document, as this, what it takes off. */
function noteSummary(row: NoteRow): PositionedItem<CreditNoteSummary> {
  const { position, number, id, account_id, series, month, invoice_number } = row;
  const { issue_date, currency, net, tax, total } = row;
  const names = { number, type: 'credit_note', id, account_id, test: isTest(series) } as const;
  const amounts = { net: 0 - net, tax: 0 - tax, total: 0 - total };
  return { position, ...names, month, invoice_number, issue_date, currency, ...amounts };
}

function inOrder<Item>(all: readonly Item[], { order }: Pick<InvoiceFilter, 'order'>) {
  return order === 'desc' ? all.toReversed() : all;
}

function placeOf(after: string | null): number | null {
  return after === null ? null : decodeNumberCursor(after);
}
