import { z } from 'zod';
import { taxField } from '#invoicing/plan.body.js';
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
  id: z.uuid(),
  status: z.enum(['running', 'ended']),
  month: z.string(),
  account_id: z.uuid().nullable().meta({ description: 'Null: all accounts.' }),
  started_at: z.iso.datetime(),
  ended_at: z.iso.datetime().nullable(),
  accounts: z.int().meta({ description: 'Accounts with something to bill in the month.' }),
  done: z.int().meta({ description: 'Those of them whose invoice is made.' }),
  documents: z.int().meta({ description: 'Invoices that got a number since it began.' }),
  issued: z.int().nullable().meta({ description: 'Null until it has ended.' }),
  skipped: z
    .int()
    .nullable()
    .meta({ description: 'Had an invoice before, or nothing to bill. Null until it has ended.' }),
  failed: z
    .int()
    .nullable()
    .meta({ description: 'While it goes on: so far, or null where another process is at it.' }),
  failures: z
    .array(z.strictObject({ account_id: z.uuid(), month: z.string(), detail: z.string() }))
    .nullable()
    .meta({ description: 'What is not issued until somebody has looked, the first 100.' }),
});

const billingDetails = buyerAnswer.extend({ tax: taxField.optional() });

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
  Buyer: billingDetails,
} as const;
