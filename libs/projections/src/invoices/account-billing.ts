import type pg from 'pg';
import { INVOICE_EVENTS } from '#account/billing-event-types.js';
import {
  type BillingEntry,
  type CreditNoteSealed,
  type InvoiceSealed,
  isOfMonth,
} from '#account/billing-events.js';
import type { AccountEvent } from '#account/events.js';
import { invoiceAccount, type InvoiceAccount } from '#invoice-rules/invoice-account.js';
import { readChanges } from '../events/month-events.js';

/** An event about invoices, as the log holds it. */
export type InvoiceEvent = Extract<AccountEvent, { type: BillingEntry['type'] }>;

/** All that happened to the invoices of one account, as the log says it. */
export interface AccountBilling {
  /** Version of the newest of these events, 0 without any: decisions are made at it. */
  readonly version: number;
  readonly events: readonly InvoiceEvent[];
}

const TYPES = Object.keys(INVOICE_EVENTS) as readonly (keyof typeof INVOICE_EVENTS)[];

/** Whether an event is about invoices. */
export function isOfInvoice(event: AccountEvent): event is InvoiceEvent {
  return (TYPES as readonly string[]).includes(event.type);
}

/** Always current, because it is read from the log: an account has few such events. */
export async function readBilling(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
): Promise<AccountBilling> {
  const all = { accountId, first: 1, last: Number.MAX_SAFE_INTEGER };
  const found = (await readChanges(db, [all], TYPES)).get(accountId) ?? [];
  return {
    version: found.at(-1)?.stored.accountVersion ?? 0,
    events: found.map(({ event }) => event).filter(isOfInvoice),
  };
}

/** The newest month that has an invoice; those of single purchases do not count. */
export function lastMonthIn(billing: AccountBilling): string | null {
  return invoicesIn(billing).findLast(isOfMonth)?.month ?? null;
}

/** The invoices among events, in the order in which they were sealed. */
export function invoicesIn({ events }: AccountBilling): readonly InvoiceSealed[] {
  return events.flatMap((event) => (event.type === 'InvoiceSealed' ? [event.data] : []));
}

/** The credit note that voids an invoice for another one to take its place. */
export function voidingNote(
  events: AccountBilling['events'],
  reissueId: string,
): CreditNoteSealed | undefined {
  const notes = events.flatMap(({ type, data }) => (type === 'CreditNoteSealed' ? [data] : []));
  return notes.find(({ reissued_as: id }) => id === reissueId);
}

/** The state of an invoice by its sums, without the credited lines. */
export function sumsOf(invoice: InvoiceSealed, { events }: AccountBilling): InvoiceAccount {
  const { invoice_id: id, currency, net, tax, total, due_date } = invoice;
  const amounts = { currency, net, tax, total, lines: [], tax_breakdown: [] };
  return invoiceAccount({ id, due_date, ...amounts }, events);
}
