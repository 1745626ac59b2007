import { z } from 'zod';
import { parseDate } from '#calendar/civil-date.js';
import type { Column } from '#web/csv.js';
import type { ParameterFault } from '#web/parameter-fault.js';
import { LIST_QUERY } from '#web/query.js';
import type { CreditNoteSummary, InvoiceSummary } from './invoice-reads.js';
import { DOCUMENT_FORMATS, DOCUMENT_NUMBER, type DocumentFormat } from './number-events.js';

/** A month by its label. */
export const monthField = z
  .string('A month like 2026-11')
  .refine((label) => parseDate(`${label}-01`) !== undefined, 'A month like 2026-11');

/** In which status an invoice is. */
export const INVOICE_STATUSES = ['issued', 'partly_paid', 'paid', 'overdue', 'credited'] as const;

/** Query of an account's list of invoices. */
export const invoicesQuery = z.strictObject({
  ...LIST_QUERY,
  month: monthField.optional(),
  status: z.enum(INVOICE_STATUSES).optional(),
});

/** Query of an account's list of credit notes. */
export const creditNotesQuery = z.strictObject({ ...LIST_QUERY, month: monthField.optional() });

/** Query of the calls behind a line. */
export const lineCallsQuery = z.strictObject(LIST_QUERY);

/** A number in a path, and the format that stands behind it: `INV-000001.pdf`. */
export interface DocumentName {
  readonly number: string;
  /** Null: the document with its state. */
  readonly format: DocumentFormat | null;
}

/** Reads a segment of a path; what is wrong with it is added to `faults`. */
export function readDocumentName(text: string, faults: ParameterFault[]): DocumentName {
  const [number = '', extension] = text.split('.', 2);
  const format = DOCUMENT_FORMATS.find((known) => known === extension) ?? null;
  const isFormat = extension === undefined || (format !== null && text === `${number}.${format}`);
  if (!isFormat || !DOCUMENT_NUMBER.test(number)) {
    const detail = `A number like INV-000001, alone or with .${DOCUMENT_FORMATS.join(', .')}.`;
    faults.push({ in: 'path', name: 'number', value: text, detail });
  }
  return { number, format };
}

const LINE = /^[1-9]\d{0,5}$/;

/** Reads the number of a line in a path; what is wrong with it is added to `faults`. */
export function readLineNumber(text: string, faults: ParameterFault[]): number {
  if (!LINE.test(text)) {
    faults.push({
      in: 'path',
      name: 'line',
      value: text,
      detail: 'A line of the invoice: 1, 2, …',
    });
  }
  return Number(text);
}

/** Columns of a list of invoices as CSV, in an order that stays. */
export const INVOICE_COLUMNS: readonly Column<InvoiceSummary>[] = [
  { name: 'number', cell: (invoice) => invoice.number },
  { name: 'account_id', cell: (invoice) => invoice.account_id },
  { name: 'month', cell: (invoice) => invoice.month },
  { name: 'issue_date', cell: (invoice) => invoice.issue_date },
  { name: 'due_date', cell: (invoice) => invoice.due_date },
  { name: 'currency', cell: (invoice) => invoice.currency },
  { name: 'net_minor', cell: (invoice) => invoice.net },
  { name: 'tax_minor', cell: (invoice) => invoice.tax },
  { name: 'total_minor', cell: (invoice) => invoice.total },
  { name: 'status', cell: (invoice) => invoice.state.status },
  { name: 'paid_minor', cell: (invoice) => invoice.state.paid },
  { name: 'credited_minor', cell: (invoice) => invoice.state.credited },
  { name: 'due_minor', cell: (invoice) => invoice.state.due },
];

/** Columns of a list of credit notes as CSV. */
export const CREDIT_NOTE_COLUMNS: readonly Column<CreditNoteSummary>[] = [
  { name: 'number', cell: (note) => note.number },
  { name: 'account_id', cell: (note) => note.account_id },
  { name: 'invoice_number', cell: (note) => note.invoice_number },
  { name: 'month', cell: (note) => note.month },
  { name: 'issue_date', cell: (note) => note.issue_date },
  { name: 'currency', cell: (note) => note.currency },
  { name: 'net_minor', cell: (note) => note.net },
  { name: 'tax_minor', cell: (note) => note.tax },
  { name: 'total_minor', cell: (note) => note.total },
];
