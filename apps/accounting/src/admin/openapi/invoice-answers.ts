import { z } from 'zod';
import {
  buyerAnswer,
  creditNoteAnswer,
  creditNoteSummary,
  draftAnswer,
  invoiceAnswer,
  invoiceSummary,
  paymentAnswer,
  sellerAnswer,
} from '#ledger/invoice-schemas.js';

const invoiceRun = z.strictObject({
  issued: z.int(),
  skipped: z.int().meta({ description: 'Had an invoice before, or nothing to bill.' }),
  failed: z.int(),
  failures: z
    .array(z.strictObject({ account_id: z.uuid(), month: z.string(), detail: z.string() }))
    .meta({ description: 'What is not issued until somebody has looked.' }),
});

/** Answers about invoices by the name that the document gives them. */
export const INVOICE_ANSWERS = {
  Invoice: invoiceAnswer,
  InvoiceSummary: invoiceSummary,
  InvoiceDraft: draftAnswer,
  InvoiceRun: invoiceRun,
  CreditNote: creditNoteAnswer,
  CreditNoteSummary: creditNoteSummary,
  Payment: paymentAnswer,
  Seller: sellerAnswer,
  Buyer: buyerAnswer,
} as const;
