import { quotedCell, safeText } from '#invoice-rules/csv-text.js';

type Cell = string | number | bigint | boolean | null | undefined;

/** A column of a table: its name in the header line, and what it shows of a row. */
export interface Column<Row> {
  readonly name: string;
  readonly cell: (row: Row) => Cell;
}

/**
 * A table as CSV (RFC 4180: commas, CRLF, quotes doubled, a header line). A text, or a part of one,
 * that a spreadsheet would run as a formula is led by an apostrophe, whoever wrote it; numbers stay
 * numbers.
 */
export function csvTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  return csvHeader(columns) + csvRows(columns, rows);
}

/** The header line of such a table. */
export function csvHeader<Row>(columns: readonly Column<Row>[]): string {
  return `${columns.map(({ name }) => csvCell(name)).join(',')}\r\n`;
}

/** Lines of such a table, without the header. */
export function csvRows<Row>(columns: readonly Column<Row>[], rows: readonly Row[]): string {
  let text = '';
  for (const row of rows) text += `${columns.map(({ cell }) => csvCell(cell(row))).join(',')}\r\n`;
  return text;
}

export function csvCell(cell: Cell): string {
  if (cell === null || cell === undefined) return '';
  return typeof cell === 'string' ? quotedCell(safeText(cell)) : String(cell);
}
