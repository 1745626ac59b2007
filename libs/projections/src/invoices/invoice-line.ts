import type pg from 'pg';
import type { CallMade } from '#account/calls.js';
import type { AccountState } from '#account/state.js';
import type { Invoice } from '#invoice-rules/invoice.js';
import type { Calendar } from '#calendar/calendar.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { InvoiceLineReference } from '../views/account-reads.js';
import { invoiceIdOf } from '../events/document-ids.js';
import { readDocument } from './documents.js';
import { findNumbersOf } from './issued-numbers.js';

/** The line of the issued invoice in which a call is counted; null before its month is invoiced. */
export async function invoiceLineOf(
  client: pg.ClientBase,
  stored: StoredEvent,
  { billing: { invoicedMonth } }: AccountState,
  calendar: Calendar,
): Promise<InvoiceLineReference | null> {
  const { label: month } = calendar.monthAt(stored.at);
  if (invoicedMonth === null || month > invoicedMonth) return null;
  const [issued] = await findNumbersOf(client, [invoiceIdOf(stored.accountId, month)]);
  if (issued === undefined) return null;
  const body = await readDocument(client, issued.data.documents.json);
  const { lines } = JSON.parse(body.toString('utf8')) as Invoice;
  const { rule, kind } = JSON.parse(stored.data) as CallMade;
  const line = lines.find((one) => one.type === 'usage' && one.rule === rule && one.kind === kind);
  return line === undefined ? null : { number: issued.data.number, line: line.n };
}
