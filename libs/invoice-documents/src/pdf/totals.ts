import { isTest, type CreditNote, type Invoice, type TaxBreakdown } from '#billing/invoice.js';
import { GREY, INK, lineHeight, PALE, type Sheet, type TextStyle } from './sheet.js';
import { longDate, money, moneyOf, printedIban, settlementText } from './wording.js';

const LABEL_FROM_RIGHT = 220;
const PADDING = 4;
const TOTALS_ABOVE = 8;
const PAYMENT_ABOVE = 18;
const BOLD: TextStyle = { weight: 'bold' };
const HEADLINE: TextStyle = { size: 15, weight: 'bold' };

/** Draws the amount to pay and its due date. */
export function drawHeadline(sheet: Sheet, document: Invoice | CreditNote): void {
  const style = HEADLINE;
  sheet.y = sheet.paragraph(headlineOf(document), sheet.left, sheet.y, sheet.width, style) + 14;
}

function headlineOf(document: Invoice | CreditNote): string {
  const { total, currency } = document;
  if (document.type === 'credit_note') return `${moneyOf(-total, currency)} credited`;
  if (total === 0) return 'Nothing to pay';
  return `${moneyOf(total, currency)} due ${longDate(document.due_date)}`;
}

/** Most height that the sums take. */
export function totalsHeight({ tax_breakdown: rows }: Invoice | CreditNote): number {
  return TOTALS_ABOVE + (rows.length + 2) * (lineHeight() + 2 * PADDING) + 4 * lineHeight();
}

/** Net, tax by category and total, at the right below the lines. */
export function drawTotals(sheet: Sheet, document: Invoice | CreditNote): void {
  const { currency, net, tax_breakdown, total } = document;
  sheet.reserve(totalsHeight(document));
  sheet.y += TOTALS_ABOVE;
  drawSum(sheet, 'Net', money(net, currency));
  for (const row of tax_breakdown) {
    drawSum(sheet, taxLabel(row, currency), money(row.tax, currency));
  }
  sheet.rule(sheet.y, INK, sheet.right - LABEL_FROM_RIGHT);
  const label = document.type === 'invoice' ? 'Amount due' : 'Total credited';
  drawSum(sheet, label, moneyOf(total, currency), BOLD);
  const reasons = tax_breakdown.flatMap(({ reason }) => (reason ? [reason] : []));
  const notes = [...reasons, ...owedTax(document)];
  const x = sheet.right - LABEL_FROM_RIGHT;
  for (const note of notes) {
    sheet.y = sheet.paragraph(note, x, sheet.y, LABEL_FROM_RIGHT, { size: 8, color: GREY });
  }
}

/** The tax in the currency in which it is owed, and its rate. */
function owedTax({ currency, tax_accounting: owed }: Invoice | CreditNote): string[] {
  if (owed === undefined) return [];
  const { currency: other, rate, rate_date: date, rate_source: source } = owed;
  const exchange = `${currency} 1 = ${other} ${rate}, ${source}, ${longDate(date)}`;
  return [`VAT in ${other}: ${moneyOf(owed.tax, other)} (${exchange})`];
}

function taxLabel({ rate_percent, taxable }: TaxBreakdown, currency: string): string {
  return `VAT ${rate_percent} % on ${money(taxable, currency)}`;
}

function drawSum(sheet: Sheet, label: string, value: string, style: TextStyle = {}): void {
  const y = sheet.y + PADDING;
  sheet.text(label, sheet.right - LABEL_FROM_RIGHT, y, style);
  sheet.text(value, sheet.right, y, { ...style, align: 'right' });
  sheet.y = y + lineHeight() + PADDING;
  if (style.weight === undefined) {
    sheet.rule(sheet.y, PALE, sheet.right - LABEL_FROM_RIGHT);
  }
}

/** Most height that `drawPayment` takes. */
export function paymentHeight({ total }: Invoice | CreditNote): number {
  return total === 0 ? 0 : PAYMENT_ABOVE + 3 * lineHeight();
}

/** How an invoice is paid, or a credit note settled. Nothing where nothing is due. */
export function drawPayment(sheet: Sheet, document: Invoice | CreditNote): void {
  const height = paymentHeight(document);
  if (height === 0) return;
  sheet.reserve(height);
  sheet.y += PAYMENT_ABOVE;
  const isInvoice = document.type === 'invoice';
  sheet.text(isInvoice ? 'Payment' : 'Settlement', sheet.left, sheet.y, BOLD);
  const below = sheet.y + lineHeight() + 2;
  const text = isInvoice ? paymentText(document) : creditText(document);
  sheet.y = sheet.paragraph(text, sheet.left, below, sheet.width);
}

function creditText(note: CreditNote): string {
  if (isTest(note.number)) return 'This is a test credit note: nothing is to be paid back.';
  return `${settlementText(note)}.`;
}

function paymentText({ seller, number, total, currency, due_date }: Invoice): string {
  if (isTest(number)) return 'This is a test invoice: nothing is to be paid.';
  const to = seller.iban === undefined ? '' : ` to IBAN ${printedIban(seller.iban)}`;
  return `Please pay ${moneyOf(total, currency)} by ${longDate(due_date)}${to}, stating ${number}.`;
}
