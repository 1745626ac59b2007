import type { CreditNote, Invoice, InvoiceLine } from '#billing/invoice.js';
import { GREY, INK, lineHeight, PALE, type Sheet, type TextStyle } from './sheet.js';
import { grouped, money } from './wording.js';

interface Column {
  readonly title: string;
  /** Where its figures end, from the right edge of the table. */
  readonly fromRight: number;
}

/** A description and a figure for each column. */
interface Row {
  readonly description: string;
  readonly figures: readonly string[];
}

const INVOICE_COLUMNS: readonly Column[] = [
  { title: 'Calls', fromRight: 262 },
  { title: 'Credits', fromRight: 182 },
  { title: 'Per 1,000 credits', fromRight: 88 },
  { title: 'Amount', fromRight: 0 },
];
const CREDIT_NOTE_COLUMNS: readonly Column[] = [
  { title: 'Invoice line', fromRight: 100 },
  { title: 'Amount', fromRight: 0 },
];
/** Between a description and the widest figure of the first column. */
const FIGURE_WIDTH = 58;
const PADDING = 4.5;
const HEAD: TextStyle = { size: 7.5, color: GREY };

/** The lines of a document over as many pages as they take, each with the names of the columns. */
export function drawLines(sheet: Sheet, document: Invoice | CreditNote): void {
  const isInvoice = document.type === 'invoice';
  const columns = isInvoice ? INVOICE_COLUMNS : CREDIT_NOTE_COLUMNS;
  const rows = isInvoice ? invoiceRows(document) : creditNoteRows(document);
  const width = sheet.width - (columns[0]?.fromRight ?? 0) - FIGURE_WIDTH;
  sheet.reserve(2 * (lineHeight() + 2 * PADDING) + lineHeight(HEAD));
  drawColumnTitles(sheet, columns);
  for (const row of rows) {
    const lines = sheet.linesOf(row.description, width);
    const height = lines.length * lineHeight() + 2 * PADDING;
    if (sheet.y + height > sheet.bottom) {
      sheet.addPage();
      drawColumnTitles(sheet, columns);
    }
    drawRow(sheet, columns, lines, row.figures);
    sheet.y += height;
    sheet.rule(sheet.y, PALE);
  }
}

function drawColumnTitles(sheet: Sheet, columns: readonly Column[]): void {
  const { left, right } = sheet;
  sheet.text('Description', left, sheet.y, HEAD);
  for (const { title, fromRight } of columns) {
    sheet.text(title, right - fromRight, sheet.y, { ...HEAD, align: 'right' });
  }
  sheet.y += lineHeight(HEAD) + 4;
  sheet.rule(sheet.y, INK);
}

function drawRow(
  sheet: Sheet,
  columns: readonly Column[],
  lines: readonly string[],
  figures: readonly string[],
): void {
  const y = sheet.y + PADDING;
  lines.forEach((line, index) => sheet.text(line, sheet.left, y + index * lineHeight()));
  columns.forEach(({ fromRight }, index) => {
    sheet.text(figures[index] ?? '', sheet.right - fromRight, y, { align: 'right' });
  });
}

function invoiceRows({ lines, currency }: Invoice): Row[] {
  return lines.map((line) => {
    const { description } = line;
    const calls = line.type === 'usage' ? grouped(line.calls) : '';
    const price = line.type === 'overage' ? money(line.price_per_1000_credits, currency) : '';
    const credits = creditsOf(line);
    // A line that shows credits only has no price: what is left of them is billed as one line.
    const amount = isCharge(line) ? money(line.amount, currency) : '';
    return { description, figures: [calls, credits, price, amount] };
  });
}

function isCharge({ type }: InvoiceLine): boolean {
  return type === 'overage' || type === 'purchase' || type === 'fee';
}

function creditsOf(line: InvoiceLine): string {
  switch (line.type) {
    case 'overage':
      return grouped(line.billed_credits);
    case 'purchase':
      return grouped(line.granted_credits);
    case 'fee':
      return '';
    case 'usage':
    case 'adjustment':
    case 'covered':
    case 'carried':
      return grouped(line.credits);
  }
}

function creditNoteRows({ lines, currency }: CreditNote): Row[] {
  return lines.map(({ description, call_id, line, amount }) => ({
    description: call_id === undefined ? description : `${description}, call ${call_id}`,
    figures: [String(line), money(amount, currency)],
  }));
}
