import {
  CSV_COLUMNS,
  creditNoteRows,
  csvLine,
  invoiceRows,
  paymentRow,
} from '#invoice-rules/csv-rows.js';
import type { ExportedPayment, ExportSource } from './export-source.js';

/** One CSV of all documents: a row for each line, each tax category and each payment. */
export async function* csvPieces(source: ExportSource): AsyncGenerator<string> {
  yield csvLine(CSV_COLUMNS);
  for await (const invoices of source.invoices()) {
    yield invoices.flatMap(({ document }) => invoiceRows(document).map(csvLine)).join('');
  }
  for await (const notes of source.creditNotes()) {
    yield notes.flatMap(({ document }) => creditNoteRows(document).map(csvLine)).join('');
  }
  for await (const payments of source.payments()) {
    yield payments.map((payment) => csvLine(paymentRow(rowOf(payment)))).join('');
  }
}

function rowOf({ id, type: document, recorded_at: _at, ...payment }: ExportedPayment) {
  return { payment_id: id, document, ...payment };
}

/** A line of JSON for each invoice and credit note as they were issued, and for each payment. */
export async function* jsonlPieces(source: ExportSource): AsyncGenerator<string> {
  for await (const invoices of source.invoices()) {
    yield invoices.map(({ document }) => jsonLine(document)).join('');
  }
  for await (const notes of source.creditNotes()) {
    yield notes.map(({ document }) => jsonLine(document)).join('');
  }
  for await (const payments of source.payments()) yield payments.map(jsonLine).join('');
}

function jsonLine(value: object): string {
  return `${JSON.stringify(value)}\n`;
}
