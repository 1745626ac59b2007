import type pg from 'pg';
import type { BillingEntry } from '#account/billing-events.js';
import { formatDate, parseDate } from '#calendar/civil-date.js';
import { accountStatement, type OpenInvoice } from '#invoice-rules/account-statement.js';
import { csvLine } from '#invoice-rules/csv-rows.js';
import { safeText } from '#invoice-rules/csv-text.js';
import { formatAmount } from '#invoice-rules/money.js';
import type { InvoiceEvent } from '#projections/invoices/account-billing.js';
import { readItems } from '#projections/invoices/open-items.js';
import type { AccountBooks, BooksReader } from './account-books.js';
import type { OpenItems } from './open-items.schemas.js';

type Item = OpenItems['items'][number];

/** Open items of all customers by the events that are dated up to a day. */
export async function openItems(
  pool: pg.Pool,
  books: BooksReader,
  { date, test }: { readonly date: string; readonly test: boolean },
): Promise<OpenItems> {
  const items: Item[] = [];
  for await (const batch of books.all(test)) {
    for (const account of batch) items.push(...(await itemsOf(pool, account, date)));
  }
  const currencies = [...new Set(items.map(({ currency }) => currency))].toSorted((one, other) =>
    one < other ? -1 : 1,
  );
  const totals = currencies.map((currency) => {
    const own = items.filter((item) => item.currency === currency);
    const overdue = own.filter(({ days_overdue: days }) => days > 0);
    return { currency, due: dueOf(own), overdue: dueOf(overdue) };
  });
  return { date, items, totals };
}

function dueOf(items: readonly Item[]): number {
  return items.reduce((sum, { due }) => sum + due, 0);
}

async function itemsOf(
  pool: pg.Pool,
  { accountId, customer, state, billing }: AccountBooks,
  date: string,
): Promise<Item[]> {
  const events = billing.filter((event) => dateOf(event) <= date);
  if (events.length === 0) return [];
  const issued = await readItems(pool, { version: 0, events });
  const items = issued.map(({ id, number, due, sealed, account }) => {
    return { id, number, due, issueDate: sealed.issue_date, account };
  });
  const statement = accountStatement(items, events, new Map(), date);
  const of = {
    customer_number: customer.number,
    customer_name: customer.name,
    account_id: accountId,
    currency: state.currency,
  };
  const open = statement.open.map((invoice) => ({ ...of, ...itemOf(invoice, events) }));
  const balance = statement.credit_balance;
  return balance === 0 ? open : [...open, { ...of, ...KEPT, due: 0 - balance }];
}

/** Members of money that was paid and that no invoice has got yet. */
const KEPT = {
  type: 'credit_balance',
  number: null,
  issue_date: null,
  due_date: null,
  amount: 0,
  paid: 0,
  credited: 0,
  written_off: 0,
  days_overdue: 0,
  reminders: 0,
} as const;

function itemOf(
  { id, age: _age, total, ...invoice }: OpenInvoice,
  events: readonly InvoiceEvent[],
) {
  const reminders = events.filter(
    ({ type, data }) => type === 'ReminderDue' && data.invoice_id === id,
  );
  return { type: 'invoice' as const, ...invoice, amount: total, reminders: reminders.length };
}

/** The day on which an event counts: what is not dated changes no item. */
function dateOf({ type, data }: BillingEntry): string {
  if (type === 'InvoiceSealed' || type === 'CreditNoteSealed') return data.issue_date;
  if (type === 'InvoiceOverdue') return data.due_date;
  if (type === 'RemindersSet') return '';
  if (type === 'ReminderDue') return formatDate((parseDate(data.due_date) ?? 0) + data.days);
  return data.date;
}

const TEXTS = [
  'customer_number',
  'customer_name',
  'account_id',
  'type',
  'number',
  'issue_date',
  'due_date',
  'currency',
] as const;
const AMOUNTS = ['amount', 'paid', 'credited', 'written_off', 'due'] as const;
const COUNTS = ['days_overdue', 'reminders'] as const;
const COLUMNS = [...TEXTS, ...AMOUNTS.flatMap((name) => [name, `${name}_minor`]), ...COUNTS];

/** A row for each open invoice, and for each credit balance. */
export function openItemsCsv({ items }: Pick<OpenItems, 'items'>): string {
  const rows = items.map((item) => [
    ...TEXTS.map((name) => safeText(item[name] ?? '')),
    // Amounts below zero stay numbers.
    ...AMOUNTS.flatMap((name) => [formatAmount(item[name], item.currency), item[name]]),
    ...COUNTS.map((name) => item[name]),
  ]);
  return [COLUMNS, ...rows].map(csvLine).join('');
}
