import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';

const INDENT = 2;

/** JSON in UTF-8 with members in their documented order, a line break at its end. */
export function jsonDocument(document: Invoice | CreditNote): Buffer {
  return Buffer.from(`${JSON.stringify(document, null, INDENT)}\n`);
}
