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
export const SetReminders = remindersBody.meta({ id: 'SetReminders' });

/** A month to issue what is due of. */
export const RunInvoices = invoiceRunBody.meta({ id: 'RunInvoices' });

/** The part of an invoice to credit. */
export const CreditInvoice = creditNoteBody.meta({ id: 'CreditInvoice' });

/** How an invoice is voided. */
export const VoidInvoice = voidBody.meta({ id: 'VoidInvoice' });

/** A payment of an invoice. */
export const RecordPayment = paymentBody.meta({ id: 'RecordPayment' });

/** A payment of an account. */
export const ReceivePayment = accountPaymentBody.meta({ id: 'ReceivePayment' });

/** Money that is paid back. */
export const RecordRefund = refundBody.meta({ id: 'RecordRefund' });

/** A part of an invoice that is not expected to be paid any more. */
export const RecordWriteOff = writeOffBody.meta({ id: 'RecordWriteOff' });

/** Who is to send invoices. */
export const SetSeller = sellerBody.meta({ id: 'SetSeller' });

/** New billing details of an account. */
export const SetBuyer = buyerBody.meta({ id: 'SetBuyer' });
