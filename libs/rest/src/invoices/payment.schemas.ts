import { z } from 'zod';

// What became of invoices, and the money of customers, in answers.

/** In which status an invoice is. */
export const InvoiceStatus = z
  .enum(['held', 'issued', 'partly_paid', 'paid', 'overdue', 'credited', 'written_off'])
  .meta({ id: 'InvoiceStatus' });

const uuid = z.uuid();
const amount = z.int();
const date = z.iso.date();
const currency = z.string().regex(/^[A-Z]{3}$/);

/** The state of an invoice since it was issued. */
export const invoiceState = z
  .strictObject({
    status: InvoiceStatus,
    paid: amount,
    credited: amount,
    written_off: amount.optional().meta({ description: 'Absent: nothing.' }),
    due: amount,
  })
  .meta({
    description: 'What was paid and credited since the invoice was issued, in minor units.',
  });

/** Members of money that came in or went out. */
export const paymentMembers = {
  id: uuid,
  amount,
  currency,
  date,
  reference: z.string().nullable(),
  recorded_at: z.iso.datetime(),
} as const;

/** The way in which an amount was set against an invoice. */
export const paidBy = z
  .enum(['refund', 'credit_balance'])
  .meta({ id: 'SettleBy' })
  .optional()
  .meta({ description: 'How it was set against the invoice; absent: by a payment.' });

/** A payment of which an invoice got a part only. */
export const received = z
  .strictObject({
    amount,
    other_invoices: amount.meta({ description: 'Set against other invoices.' }),
    credit_balance: amount.meta({ description: 'Kept as credit balance.' }),
  })
  .optional()
  .meta({ description: 'The whole payment; absent: all of it was set against this invoice.' });

/** Money that came in or was paid back, and what became of it. */
const moneyMembers = {
  ...paymentMembers,
  applied: z
    .array(z.strictObject({ number: z.string(), amount }))
    .meta({ description: 'What was set against invoices.' }),
  credit_balance_change: amount.meta({
    description: 'The rest: above 0 it is kept as credit balance, below 0 it was taken of it.',
  }),
} as const;

/** A payment of an account. */
export const AccountPayment = z.strictObject(moneyMembers).meta({ id: 'AccountPayment' });

/** Money that was paid back to a customer. */
export const Refund = z.strictObject(moneyMembers).meta({ id: 'Refund' });

/** A part of an invoice that was written off, and how the invoice stands now. */
export const WriteOff = z
  .strictObject({
    id: uuid,
    amount,
    currency,
    date,
    recorded_at: z.iso.datetime(),
    invoice_number: z.string(),
    state: invoiceState,
  })
  .meta({ id: 'WriteOff' });

/** A payment that was recorded, and how its invoice stands now. */
export const Payment = z
  .strictObject({ ...paymentMembers, invoice_number: z.string(), state: invoiceState })
  .meta({ id: 'Payment' });

/** Reminders of an invoice. */
export const Reminders = z
  .strictObject({
    stopped: z.boolean().meta({ description: 'By hand.' }),
    sent: z
      .array(z.strictObject({ days: z.int(), at: z.iso.datetime() }))
      .meta({ description: 'Oldest first, by days after the due date.' }),
  })
  .meta({ id: 'Reminders' });
