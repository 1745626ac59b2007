import { z } from 'zod';
import { parseDate } from '#calendar/civil-date.js';
import { codeField, monthField, textField, uuidField } from '#web/body-fields.js';

const REASON_LENGTH = 500;
const REFERENCE_LENGTH = 140;
const LINES_MAX = 1_000;
const CALLS_MAX = 1_000;

/** Body of `POST /invoice-runs`. */
export const invoiceRunBody = z.strictObject({
  month: monthField.meta({
    description: 'The month to invoice. Earlier months that are not invoiced yet are invoiced too.',
  }),
  account_id: uuidField
    .nullable()
    .default(null)
    .meta({ description: 'Only this account; null: all accounts.' }),
});

const creditedLine = z
  .strictObject({
    line: z.int().min(1),
    amount: z.int().min(1).optional().meta({ description: 'Net amount in minor units.' }),
    credits: z
      .int()
      .min(1)
      .optional()
      .meta({ description: 'Credits to take back; only of the line that bills overage.' }),
  })
  .refine(({ amount, credits }) => (amount === undefined) !== (credits === undefined), {
    message: 'Either an amount or credits',
  });

const settlementField = z
  .enum(['refund', 'credit_balance'])
  .meta({ id: 'SettleBy' })
  .default('refund')
  .meta({
    description: 'Of what was paid already: paid back, or kept to pay later invoices.',
  });

const keepCreditsField = z
  .boolean()
  .default(false)
  .meta({
    description:
      'Leave the account the unused credits of purchases that are given back: as a promotional grant of ' +
      'its own, with the same expiry and priority. Otherwise they are taken back.',
  });

/** Body of `POST /invoices/{number}/credit-notes`: all that is left, or some lines or calls. */
export const creditNoteBody = z
  .strictObject({
    reason: textField(REASON_LENGTH).meta({
      description: 'Why; it is printed on the credit note.',
    }),
    lines: z
      .array(creditedLine)
      .min(1)
      .max(LINES_MAX)
      .optional()
      .meta({ description: 'Credit only parts of these lines: net amounts, or credits.' }),
    settlement: settlementField,
    keep_credits: keepCreditsField,
    call_ids: z
      .array(uuidField)
      .min(1)
      .max(CALLS_MAX)
      .optional()
      .meta({ description: 'Credit only these calls, each as far as no grant covered it.' }),
  })
  .refine(({ lines, call_ids: calls }) => lines === undefined || calls === undefined, {
    path: ['call_ids'],
    message: 'Either lines or call_ids',
  });

/** Body of `POST /invoices/{number}/void`. */
export const voidBody = z
  .strictObject({
    reason: textField(REASON_LENGTH)
      .optional()
      .meta({ description: 'Why; it is printed on the credit note.' }),
    reissue: z
      .boolean()
      .default(false)
      .meta({
        description:
          'Issue the same lines again, with the billing details and tax as they are now. No credits move, ' +
          'and what was paid pays the new invoice.',
      }),
    settlement: settlementField,
    keep_credits: keepCreditsField,
  })
  .refine(({ reissue, keep_credits: keep }) => !reissue || !keep, {
    path: ['keep_credits'],
    message: 'With "reissue" no credits move: leave it out',
  });

const dateField = z
  .string()
  .refine((text) => parseDate(text) !== undefined, 'A date like 2026-11-24')
  .meta({ format: 'date' });

/** Body of `POST /invoices/{number}/payments`. */
export const paymentBody = z.strictObject({
  amount: z
    .int()
    .refine((amount) => amount !== 0, 'An amount other than 0')
    .meta({ description: 'Minor units; below 0 what was overpaid is paid back.' }),
  date: dateField.optional().meta({
    description:
      "When it was paid, from the first day of the invoice's month on; today unless given.",
  }),
  reference: codeField(REFERENCE_LENGTH)
    .nullable()
    .default(null)
    .meta({ description: 'The reference that the bank names.' }),
});

const amountField = z.int().min(1);
const referenceField = codeField(REFERENCE_LENGTH)
  .nullable()
  .default(null)
  .meta({ description: 'The reference that the bank names.' });
const dated = {
  date: dateField.optional().meta({
    description:
      'When it happened, since the account was opened and the months of invoices that it names ' +
      'began; today unless given.',
  }),
} as const;

/** Body of `POST /accounts/{account_id}/payments`. */
export const accountPaymentBody = z
  .strictObject({
    amount: z
      .int()
      .min(0)
      .meta({ description: 'Minor units; 0 uses the credit balance alone, with `apply`.' }),
    ...dated,
    reference: referenceField,
    apply: z
      .array(z.strictObject({ number: z.string().min(1).max(40), amount: amountField }))
      .min(1)
      .max(LINES_MAX)
      .optional()
      .meta({
        description:
          'Invoices that it pays. Without it those that are due are paid, oldest first. The rest is ' +
          'credit balance.',
      }),
  })
  .refine(({ amount, apply }) => amount > 0 || apply !== undefined, {
    path: ['amount'],
    message: 'An amount above 0, or invoices to apply the credit balance to',
  });

/** Body of `POST /accounts/{account_id}/refunds`. */
export const refundBody = z.strictObject({
  amount: amountField.meta({ description: 'Minor units that are paid back.' }),
  ...dated,
  reference: referenceField,
});

/** Body of `POST /accounts/{account_id}/write-offs`. */
export const writeOffBody = z.strictObject({
  number: z.string().min(1).max(40).meta({ description: 'Number of the invoice.' }),
  amount: z
    .int()
    .refine((amount) => amount !== 0, 'An amount other than 0')
    .optional()
    .meta({ description: 'Minor units; all that is due unless given; below 0 it is taken back.' }),
  ...dated,
  reason: textField(REASON_LENGTH).meta({ description: 'Why; it is kept in the log.' }),
});

/** Body of `PUT /invoices/{number}/reminders`. */
export const remindersBody = z.strictObject({
  stopped: z.boolean().meta({ description: 'True: no more reminders. False: they go on.' }),
  reason: textField(REASON_LENGTH).meta({ description: 'Why; it is kept in the log.' }),
});

export type AccountPaymentBody = z.output<typeof accountPaymentBody>;
export type RefundBody = z.output<typeof refundBody>;
export type WriteOffBody = z.output<typeof writeOffBody>;
export type CreditNoteBody = z.output<typeof creditNoteBody>;
export type VoidBody = z.output<typeof voidBody>;
export type RemindersBody = z.output<typeof remindersBody>;
export type PaymentBody = z.output<typeof paymentBody>;
