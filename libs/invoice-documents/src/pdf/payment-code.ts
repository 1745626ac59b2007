import encodeQR from 'qr';
import { isTest, payableOf, type CreditNote, type Invoice } from '#invoice-rules/invoice.js';
import { transferCodeText } from '#invoice-rules/payment-code.js';
import { oneLine } from './line-breaks.js';
import { GREY, lineHeight, type Sheet, type TextStyle } from './sheet.js';

const QUIET_MODULES = 4;
/** With the quiet zone: the code itself has about 2.5 cm. */
const SIDE = 88;
const CAPTION: TextStyle = { size: 7.5, color: GREY };
/** Of the code and its caption. */
const HEIGHT = SIDE + lineHeight(CAPTION);

/**
 * The text that a banking app reads from the code of an invoice. Null where there is none: no IBAN,
 * other currencies, nothing due, a test.
 */
export function paymentCodeText(document: Invoice | CreditNote): string | null {
  const { type, seller, currency, number: reference } = document;
  const { iban, bic, name = '' } = seller;
  if (iban === undefined || type !== 'invoice' || isTest(reference)) return null;
  const amount = payableOf(document);
  return transferCodeText({ name: oneLine(name), iban, bic, amount, currency, reference });
}

/** The modules of a QR code with the quiet zone around it, row by row: true is dark. */
export function modulesOf(text: string): boolean[][] {
  return encodeQR(text, 'raw', { ecc: 'medium', encoding: 'byte', border: QUIET_MODULES });
}

/** Height that the code of a document takes. */
export function paymentCodeHeight(document: Invoice | CreditNote): number {
  return paymentCodeText(document) === null ? 0 : HEIGHT;
}

/** Draws the code of a document, if it has one, at the left; its caption stands below. */
export function drawPaymentCode(sheet: Sheet, document: Invoice | CreditNote): void {
  const text = paymentCodeText(document);
  if (text === null) return;
  const modules = modulesOf(text);
  const quiet = (SIDE * QUIET_MODULES) / modules.length;
  sheet.modules(modules, sheet.left - quiet, sheet.y, SIDE);
  sheet.text(sheet.wording.texts.scan, sheet.left, sheet.y + SIDE, CAPTION);
}
