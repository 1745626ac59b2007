import { z } from 'zod';
import { creditNoteBody, invoiceRunBody, paymentBody } from '#invoicing/invoice-bodies.js';
import { accountPaymentBody, refundBody, voidBody } from '#invoicing/invoice-bodies.js';
import { remindersBody, writeOffBody } from '#invoicing/invoice-bodies.js';
import { buyerBody, sellerBody } from '#invoicing/party.body.js';
import { monthField } from '#web/body-fields.js';
import { LIST_QUERY } from '#web/query.js';
import { isUuid } from '#web/uuid.js';
import { InvoiceStatus } from './payment.schemas.js';

// Invoices, credit notes, payments and parties, in requests. Services of `libs/invoicing` read the
// bodies.

const ofMonth = {
  ...LIST_QUERY,
  month: monthField
    .optional()
    .meta({ description: 'Only documents of this month of supply.', example: '2026-11' }),
} as const;

/** Which credit notes a list shows. */
export const CREDIT_NOTES_QUERY = z.strictObject(ofMonth);

/** Which invoices a list shows. */
export const INVOICES_QUERY = z.strictObject({
  ...ofMonth,
  status: InvoiceStatus.optional().meta({ description: 'Only invoices in this status.' }),
});

/** Which calls behind a line are shown. */
export const LINE_CALLS_QUERY = z.strictObject(LIST_QUERY);

/** Filters of lists for operators. */
export const OF_ALL = {
  account_id: z
    .string()
    .refine(isUuid, 'A UUID')
    .toLowerCase()
    .optional()
    .meta({
      description: 'Only those of this account.',
      schema: { type: 'string', format: 'uuid' },
    }),
  test: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description:
        '`true` lists test accounts only, `false` leaves them out. Without it both are listed.',
      schema: { type: 'boolean' },
    }),
} as const;
export type OfAll = z.output<z.ZodObject<typeof OF_ALL>>;

export type InvoicesQuery = z.output<typeof INVOICES_QUERY> & OfAll;
export type CreditNotesQuery = z.output<typeof CREDIT_NOTES_QUERY> & OfAll;

/** Whether an invoice is reminded of. */
export const SetReminders = remindersBody.meta({
  id: 'SetReminders',
  examples: [{ stopped: true, reason: 'They will pay in January.' }],
});

/** A month to issue what is due of. */
export const RunInvoices = invoiceRunBody.meta({
  id: 'RunInvoices',
  examples: [{ month: '2026-10' }],
});

/** The part of an invoice to credit. */
export const CreditInvoice = creditNoteBody.meta({
  id: 'CreditInvoice',
  examples: [{ reason: 'Agreed by phone.', lines: [{ line: 4, amount: 1200 }] }],
});

/** How an invoice is voided. */
export const VoidInvoice = voidBody.meta({
  id: 'VoidInvoice',
  examples: [{ reason: 'The address was wrong.', reissue: true }],
});

/** A payment of an invoice. */
export const RecordPayment = paymentBody.meta({
  id: 'RecordPayment',
  examples: [{ amount: 79_343, date: '2026-11-12', reference: 'INV-000001' }],
});

/** A payment of an account. */
export const ReceivePayment = accountPaymentBody.meta({
  id: 'ReceivePayment',
  examples: [
    { amount: 40_000, date: '2026-12-08', apply: [{ number: 'INV-000001', amount: 38_272 }] },
  ],
});

/** Money that is paid back. */
export const RecordRefund = refundBody.meta({
  id: 'RecordRefund',
  examples: [{ amount: 1_728, reference: 'Paid twice' }],
});

/** A part of an invoice that is not expected to be paid any more. */
export const RecordWriteOff = writeOffBody.meta({
  id: 'RecordWriteOff',
  examples: [{ number: 'INV-000001', reason: 'The customer is insolvent.' }],
});

const address = { line1: 'Ring 1', city: 'Wien', postcode: '1010', country: 'AT' };

/** Who is to send invoices. */
export const SetSeller = sellerBody.meta({
  id: 'SetSeller',
  examples: [
    {
      name: 'Index GmbH',
      address,
      vat_id: 'ATU12345678',
      email: 'billing@index.example',
      iban: 'AT611904300234573201',
      bic: 'BKAUATWW',
      contact: { name: 'Accounting', phone: '+43 1 2345678' },
      endpoint: { scheme: '9914', id: 'ATU12345678' },
    },
  ],
});

/** New billing details of an account. */
export const SetBuyer = buyerBody.meta({
  id: 'SetBuyer',
  examples: [
    {
      name: 'Nails & Co',
      address,
      email: 'accounts@nails.example',
      tax: { category: 'S', rate_percent: 20 },
      buyer_reference: 'Marketing',
      endpoint: { scheme: '9914', id: 'ATU87654321' },
      invoice_format: 'peppol-bis-3',
    },
  ],
});
