import { canonicalText } from '#invoice-rules/draft-invoice.js';
import type { CreditNoteDraft } from '#invoice-rules/draft-credit-note.js';
import type { CreditNote, Invoice, InvoiceDraft } from '#invoice-rules/invoice.js';
import { documentCsv } from '#invoice-rules/csv-rows.js';
import { jsonDocument } from './json-document.js';

/** The rest of each format; none of PDF and XML, which cannot be without parties. */
export interface RedactedDocuments {
  readonly json: Uint8Array;
  readonly csv: Uint8Array;
}

function withoutParties<Document extends object>(document: Document): Document {
  return { ...document, seller: {}, buyer: { name: '' } };
}

/** An issued document, from its JSON, without its parties. The same input gives the same bytes. */
export function redactDocument(json: Uint8Array): RedactedDocuments {
  const issued = JSON.parse(Buffer.from(json).toString('utf8')) as Invoice | CreditNote;
  const document = withoutParties(issued);
  return { json: jsonDocument(document), csv: Buffer.from(documentCsv(document)) };
}

/** A sealed document without its parties. */
export function redactSealed(text: Uint8Array): Uint8Array {
  const sealed = JSON.parse(Buffer.from(text).toString('utf8')) as InvoiceDraft | CreditNoteDraft;
  return Buffer.from(canonicalText(withoutParties(sealed)));
}
