import type pg from 'pg';
import type { CreditNoteRecord } from '#account/billing-events.js';
import { divideGiveBacks, type GivenBackCall } from '#invoice-rules/give-back.js';
import { invoiceAccount } from '#invoice-rules/invoice-account.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import type { Calendar } from '#calendar/calendar.js';
import { INVOICE_NUMBERED } from '#projections/events/number-events.js';
import type { AccountBilling } from '#projections/invoices/account-billing.js';
import { readDocument } from '#projections/invoices/documents.js';
import { findNumbersOf } from '#projections/invoices/issued-numbers.js';
import { ProblemException } from '#web/problem.js';
import { accountingUnavailable } from '#web/refusal-problem.js';
import { creditNoteRecord } from './credit-note-record.js';

/** A call that is to be given back, with its place in the account. */
export interface ChargedCall extends GivenBackCall {
  /** Ms since 1970. */
  readonly at: number;
  readonly version: number;
}

/** Records that give calls of one account back. */
export interface DrawnGiveBack {
  /** Of each invoice that has billed a part of them. */
  readonly notes: readonly CreditNoteRecord[];
  /** Credits by call; 0 where a note takes back all of it. */
  readonly adjusted: ReadonlyMap<string, number>;
}

/** Content of the notes beside their amounts. */
export interface DrawnTerms {
  readonly noteIdOf: (invoiceId: string) => string;
  readonly issueDate: string;
  readonly reason: string;
}

const UNNUMBERED = 'The invoice of the call’s month has no number yet.';

/**
 * How calls are given back as the account's invoices stand: the part that a month has billed by a
 * credit note, the rest by adjustments. The documents of the notes are kept.
 */
export async function drawGiveBack(
  { pool, calendar }: { readonly pool: pg.Pool; readonly calendar: Calendar },
  calls: readonly ChargedCall[],
  { events }: AccountBilling,
  { noteIdOf, ...terms }: DrawnTerms,
): Promise<DrawnGiveBack> {
  const adjusted = new Map(calls.map(({ callId, charged }) => [callId, charged]));
  const notes: CreditNoteRecord[] = [];
  const months = new Set(calls.map(({ at }) => calendar.monthAt(at).label));
  for (const month of months) {
    let open = calls.filter(({ at }) => calendar.monthAt(at).label === month);
    for (const invoice of await invoicesOf(pool, events, month)) {
      const billed = open.filter((call) => holds(invoice, call));
      if (billed.length === 0) continue;
      open = open.filter((call) => !billed.includes(call));
      const divided = divideGiveBacks(invoiceAccount(invoice, events), billed);
      for (const [callId, credits] of divided.adjusted) adjusted.set(callId, credits);
      if (divided.note === null) continue;
      const note = { id: noteIdOf(invoice.id), ...terms };
      notes.push(await creditNoteRecord(pool, invoice, divided.note, note));
    }
  }
  return { notes, adjusted };
}

/** Of a month, the newest first. */
async function invoicesOf(
  pool: pg.Pool,
  events: AccountBilling['events'],
  month: string,
): Promise<Invoice[]> {
  const ids = events.flatMap(({ type, data }) =>
    type === 'InvoiceSealed' && data.month === month ? [data.invoice_id] : [],
  );
  const numbers = await findNumbersOf(pool, ids);
  if (numbers.length < ids.length) throw new ProblemException(accountingUnavailable(UNNUMBERED));
  const invoices: Invoice[] = [];
  for (const { type, data } of numbers.toReversed()) {
    if (type !== INVOICE_NUMBERED) continue;
    const body = await readDocument(pool, data.documents.json);
    invoices.push(JSON.parse(body.toString('utf8')) as Invoice);
  }
  return invoices;
}

function holds({ account_version: { from, to } }: Invoice, { version }: ChargedCall): boolean {
  return version >= from && version <= to;
}
