import { z } from 'zod';
import {
  creditNoteAnswer,
  creditNoteSummary,
  draftAnswer,
  invoiceAnswer,
  invoiceSummary,
} from '#ledger/invoice-schemas.js';
import type { Schema } from '#web/openapi-document.js';

function plain(schema: z.ZodType): Schema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io: 'output' });
  return rest;
}

function page(schema: z.ZodType): Schema {
  return plain(z.strictObject({ items: z.array(schema), next: z.string().nullable() }));
}

/** Schemas of invoices and credit notes. */
export const INVOICE_SCHEMAS: Readonly<Record<string, Schema>> = {
  Invoice: plain(invoiceAnswer),
  InvoiceDraft: plain(draftAnswer),
  InvoicePage: page(invoiceSummary),
  CreditNote: plain(creditNoteAnswer),
  CreditNotePage: page(creditNoteSummary),
};
