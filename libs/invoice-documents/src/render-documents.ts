import type { CreditNote, Invoice } from '#invoice-rules/invoice.js';
import type { Missing } from '#invoice-rules/missing.js';
import { documentCsv } from '#invoice-rules/csv-rows.js';
import { ciiDocument } from './cii/cii-document.js';
import { jsonDocument } from './json-document.js';
import { pdfDocument } from './pdf/pdf-document.js';
import type { WeekUsage } from './pdf/usage-chart.js';
import { ublDocument } from './ubl/ubl-document.js';
import { eInvoiceOf } from './xml/e-invoice.js';

export interface RenderInput {
  readonly document: Invoice | CreditNote;
  /** Credits of the month's weeks in order; empty: no chart. */
  readonly usageByWeek: readonly WeekUsage[];
  /** The image of `seller.logo_sha256`. */
  readonly logo?: Uint8Array | undefined;
}

/** The bytes of a document in every format, to be stored and served as they are. */
export interface RenderedDocuments {
  readonly json: Uint8Array;
  readonly csv: Uint8Array;
  /** PDF/A-3; with the bytes of `cii` inside where there is one. */
  readonly pdf: Uint8Array;
  /** UBL 2.1; null where the standard asks for what is `missing`. */
  readonly xml: Uint8Array | null;
  /** Cross Industry Invoice; null as `xml` is. */
  readonly cii: Uint8Array | null;
  readonly missing: readonly Missing[];
}

/**
 * Writes an invoice or a credit note in all formats (contract 6). The same input gives the same
 * bytes, whenever and wherever.
 */
export function renderDocuments({ document, usageByWeek, logo }: RenderInput): RenderedDocuments {
  const result = eInvoiceOf(document);
  const eInvoice = result.outcome === 'complete' ? result.eInvoice : null;
  const cii = eInvoice && Buffer.from(ciiDocument(eInvoice));
  return {
    json: jsonDocument(document),
    csv: Buffer.from(documentCsv(document)),
    pdf: pdfDocument({ document, usageByWeek, xml: cii, logo }),
    xml: eInvoice && Buffer.from(ublDocument(eInvoice)),
    cii,
    missing: result.outcome === 'missing' ? result.missing : [],
  };
}
