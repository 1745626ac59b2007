import { CSV_COLUMNS, creditNoteRows, invoiceRows, type CsvCell } from '#billing/csv-rows.js';
import type { CreditNote, Invoice } from '#billing/invoice.js';
import { quotedCell } from '#billing/csv-text.js';

const LINE_END = '\r\n';

/** CSV in UTF-8 (RFC 4180) under a header line: a row for each line, the tax last. */
export function csvDocument(document: Invoice | CreditNote): Buffer {
  const rows = document.type === 'invoice' ? invoiceRows(document) : creditNoteRows(document);
  return Buffer.from([CSV_COLUMNS, ...rows].map(csvLine).join(''));
}

/** The cells of a document are safe to be opened in a spreadsheet as they come. */
function csvLine(cells: readonly CsvCell[]): string {
  return cells.map((cell) => quotedCell(String(cell))).join(',') + LINE_END;
}
