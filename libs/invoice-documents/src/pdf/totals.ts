import { fillText } from '#invoice-rules/fill-text.js';
import {
  payableOf,
  type CreditNote,
  type Invoice,
  type TaxBreakdown,
} from '#invoice-rules/invoice.js';
import { drawPaymentCode, paymentCodeHeight } from './payment-code.js';
import { GREY, INK, lineHeight, PALE, type Sheet, type TextStyle } from './sheet.js';
import type { Wording } from './wording.js';

const LABEL_FROM_RIGHT = 220;
const PADDING = 4;
const TOTALS_ABOVE = 8;
const BOLD: TextStyle = { weight: 'bold' };
const HEADLINE: TextStyle = { size: 15, weight: 'bold' };

/** Draws the amount to pay and its due date. */
export function drawHeadline(sheet: Sheet, document: Invoice | CreditNote): void {
  const style = HEADLINE;
  sheet.y =
    sheet.paragraph(headlineOf(document, sheet.wording), sheet.left, sheet.y, sheet.width, style) +
    14;
}

function headlineOf(document: Invoice | CreditNote, wording: Wording): string {
  const { currency } = document;
  const { texts } = wording;
  const due = payableOf(document);
  if (document.type === 'credit_note')
    return fillText(texts.credited, { amount: wording.moneyOf(-due, currency) });
  if (due === 0) return texts.nothingToPay;
  return fillText(texts.toPay, {
    amount: wording.moneyOf(due, currency),
    date: wording.longDate(document.due_date),
  });
}

/** Most height that the sums and the code beside them take: a note has up to two lines. */
export function totalsHeight(document: Invoice | CreditNote): number {
  const { tax_breakdown: rows, tax_accounting: owed } = document;
  const notes = rows.filter(({ reason }) => reason).length + (owed === undefined ? 0 : 1);
  const prepaid = prepaidOf(document) === 0 ? 0 : 2;
  const sums =
    (rows.length + 2 + prepaid) * (lineHeight() + 2 * PADDING) + 2 * notes * lineHeight();
  return Math.max(TOTALS_ABOVE + sums, paymentCodeHeight(document));
}

/** Net, tax by category and total, at the right below the lines; the code to pay at the left. */
export function drawTotals(sheet: Sheet, document: Invoice | CreditNote): void {
  const { currency, net, tax_breakdown, total } = document;
  const { wording } = sheet;
  const { texts } = wording;
  sheet.reserve(totalsHeight(document));
  const codeEnd = sheet.y + paymentCodeHeight(document);
  drawPaymentCode(sheet, document);
  sheet.y += TOTALS_ABOVE;
  drawSum(sheet, texts.net, wording.money(net, currency));
  for (const row of tax_breakdown) {
    drawSum(sheet, taxLabel(row, currency, wording), wording.money(row.tax, currency));
  }
  const prepaid = prepaidOf(document);
  if (prepaid > 0) {
    drawSum(sheet, texts.total, wording.money(total, currency));
    drawSum(sheet, texts.fromBalance, wording.money(-prepaid, currency));
  }
  sheet.rule(sheet.y, INK, sheet.right - LABEL_FROM_RIGHT);
  const label = document.type === 'invoice' ? texts.amountDue : texts.totalCredited;
  drawSum(sheet, label, wording.moneyOf(total - prepaid, currency), BOLD);
  const reasons = tax_breakdown.flatMap(({ reason }) => (reason ? [reason] : []));
  const notes = [...reasons, ...owedTax(document, wording)];
  const x = sheet.right - LABEL_FROM_RIGHT;
  for (const note of notes) {
    sheet.y = sheet.paragraph(note, x, sheet.y, LABEL_FROM_RIGHT, { size: 8, color: GREY });
  }
  sheet.y = Math.max(sheet.y, codeEnd);
}

/** Part of an invoice that the credit balance pays. */
function prepaidOf(document: Invoice | CreditNote): number {
  return document.total - payableOf(document);
}

/** The tax in the currency in which it is owed, and its rate. */
function owedTax(
  { currency, tax_accounting: owed }: Invoice | CreditNote,
  wording: Wording,
): string[] {
  if (owed === undefined) return [];
  const { currency: other, rate, rate_date: date, rate_source: source } = owed;
  const exchange = `${currency} 1 = ${other} ${rate}, ${source}, ${wording.longDate(date)}`;
  return [
    fillText(wording.texts.vatIn, {
      currency: other,
      amount: wording.moneyOf(owed.tax, other),
      exchange,
    }),
  ];
}

function taxLabel(
  { rate_percent, taxable }: TaxBreakdown,
  currency: string,
  wording: Wording,
): string {
  return fillText(wording.texts.vat, {
    rate: wording.decimal(rate_percent),
    net: wording.money(taxable, currency),
  });
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
