import { fillText } from '#invoice-rules/fill-text.js';
import {
  isPrepaid,
  isTest,
  payableOf,
  type CreditNote,
  type Invoice,
} from '#invoice-rules/invoice.js';
import { lineHeight, type Sheet } from './sheet.js';
import type { Wording } from './wording.js';
import { printedIban } from '#invoice-rules/party-rules.js';

const ABOVE = 18;
const BELOW_TITLE = 2;

/** How an invoice is paid, or a credit note settled; nothing where nothing is due. */
export function drawPayment(sheet: Sheet, document: Invoice | CreditNote): void {
  const { wording, width } = sheet;
  if (document.total === 0) return;
  const { remittance = '' } = document.seller;
  const isInvoice = document.type === 'invoice';
  const texts = isInvoice
    ? [
        invoiceText(document, wording),
        ...(remittance === '' || isPrepaid(document) ? [] : [remittance]),
      ]
    : [creditText(document, wording)];
  const lines = texts.flatMap((text) => sheet.linesOf(text, width));
  const title = isInvoice ? wording.texts.payment : wording.texts.settlement;
  sheet.reserve(ABOVE + BELOW_TITLE + (lines.length + 1) * lineHeight());
  sheet.y += ABOVE;
  sheet.text(title, sheet.left, sheet.y, { weight: 'bold' });
  sheet.y += lineHeight() + BELOW_TITLE;
  for (const line of lines) {
    sheet.text(line, sheet.left, sheet.y);
    sheet.y += lineHeight();
  }
}

function creditText(note: CreditNote, wording: Wording): string {
  if (isTest(note.number)) return wording.texts.testNotPaidBack;
  return `${wording.settlement(note)}.`;
}

function invoiceText(invoice: Invoice, wording: Wording) {
  const { seller, number, currency, due_date } = invoice;
  const { texts } = wording;
  if (isTest(number)) return texts.testNotPaid;
  if (isPrepaid(invoice)) return texts.isPaid;
  const bank = seller.bic === undefined ? '' : `, BIC ${seller.bic}`;
  const account =
    seller.iban === undefined
      ? ''
      : fillText(texts.account, { iban: `${printedIban(seller.iban)}${bank}` });
  const amount = wording.moneyOf(payableOf(invoice), currency);
  const date = wording.longDate(due_date);
  return fillText(texts.pleasePay, { amount, date, account, number });
}
