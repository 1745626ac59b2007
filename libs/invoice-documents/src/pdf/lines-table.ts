import { fillText } from '#invoice-rules/fill-text.js';
import type { CreditNote, Invoice, InvoiceLine } from '#invoice-rules/invoice.js';
import { lineNote } from '#invoice-rules/line-note.js';
import { GREY, INK, lineHeight, PALE, type Sheet, type TextStyle } from './sheet.js';
import type { Wording } from './wording.js';

interface Column {
  readonly title: 'calls' | 'credits' | 'pricePer1000' | 'amount' | 'invoiceLine';
  /** Where its figures end, from the right edge of the table. */
  readonly fromRight: number;
}

/** A description and a figure for each column. */
interface Row {
  readonly description: string;
  readonly figures: readonly string[];
}

const INVOICE_COLUMNS: readonly Column[] = [
  { title: 'calls', fromRight: 262 },
  { title: 'credits', fromRight: 182 },
  { title: 'pricePer1000', fromRight: 88 },
  { title: 'amount', fromRight: 0 },
];
const CREDIT_NOTE_COLUMNS: readonly Column[] = [
  { title: 'invoiceLine', fromRight: 100 },
  { title: 'amount', fromRight: 0 },
];
/** Between a description and the widest figure of the first column. */
const FIGURE_WIDTH = 58;
const PADDING = 4.5;
const HEAD: TextStyle = { size: 7.5, color: GREY };

/**
 * The lines of a document over as many pages as they take, each with the names of the columns.
 * `below`: height of what stands on one page with the last line.
 */
export function drawLines(sheet: Sheet, document: Invoice | CreditNote, below: number): void {
  const isInvoice = document.type === 'invoice';
  const columns = isInvoice ? INVOICE_COLUMNS : CREDIT_NOTE_COLUMNS;
  const rows = isInvoice
    ? invoiceRows(document, sheet.wording)
    : creditNoteRows(document, sheet.wording);
  const width = sheet.width - (columns[0]?.fromRight ?? 0) - FIGURE_WIDTH;
  const own = rows.length > 1 ? 0 : below;
  sheet.reserve(2 * (lineHeight() + 2 * PADDING) + lineHeight(HEAD) + own);
  drawColumnTitles(sheet, columns);
  for (const [index, row] of rows.entries()) {
    const lines = sheet.linesOf(row.description, width);
    const height = lines.length * lineHeight() + 2 * PADDING;
    const kept = index === rows.length - 1 ? below : 0;
    if (sheet.y + height + kept > sheet.bottom) {
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
  sheet.text(sheet.wording.texts.description, left, sheet.y, HEAD);
  for (const { title, fromRight } of columns) {
    sheet.text(sheet.wording.texts[title], right - fromRight, sheet.y, { ...HEAD, align: 'right' });
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

function invoiceRows({ lines, currency }: Invoice, wording: Wording): Row[] {
  return lines.map((line) => {
    const note = lineNote(line, wording.language);
    const description = note === undefined ? line.description : `${line.description} (${note})`;
    const calls = line.type === 'usage' ? wording.grouped(line.calls) : '';
    const price =
      line.type === 'overage' ? wording.money(line.price_per_1000_credits, currency) : '';
    const credits = creditsOf(line, wording);
    // A line that shows credits only has no price: what is left of them is billed as one line.
    const amount = isCharge(line) ? wording.money(line.amount, currency) : '';
    return { description, figures: [calls, credits, price, amount] };
  });
}

function isCharge({ type }: InvoiceLine): boolean {
  return type === 'overage' || type === 'purchase' || type === 'fee';
}

function creditsOf(line: InvoiceLine, wording: Wording): string {
  switch (line.type) {
    case 'overage':
      return wording.grouped(line.billed_credits);
    case 'purchase':
      return wording.grouped(line.granted_credits);
    case 'fee':
      return '';
    case 'usage':
    case 'adjustment':
    case 'covered':
    case 'carried':
      return wording.grouped(line.credits);
  }
}

function creditNoteRows({ lines, currency }: CreditNote, wording: Wording): Row[] {
  return lines.map(({ description, call_id, line, amount }) => ({
    description:
      call_id === undefined
        ? description
        : fillText(wording.texts.callOf, { description, call: call_id }),
    figures: [String(line), wording.money(amount, currency)],
  }));
}
