import { z } from 'zod';
import { parseDate } from '#calendar/civil-date.js';
import { codeField, uuidField } from '#web/body-fields.js';
import type { Frozen } from '../operation/frozen.js';

/** Entries that are booked with one request. */
export const BOOKED_MAX = 200;
const INVOICES_MAX = 1_000;

const minor = z.int();
const date = z.iso.date();
const currency = z.string().regex(/^[A-Z]{3}$/, 'A currency like EUR');
const appliedTo = z.array(z.strictObject({ number: z.string(), amount: minor }));

const statement = z.strictObject({
  account: z.string().nullable().meta({ description: 'IBAN or number; null: not stated.' }),
  number: z.string().nullable().meta({ description: 'Id of the statement.' }),
  currency: z.string(),
  opening: minor.nullable().meta({ description: 'Null: the file states no balances.' }),
  closing: minor.nullable(),
  booked: minor.meta({ description: 'Sum of the booked entries; money that went out is below 0.' }),
  adds_up: z
    .boolean()
    .nullable()
    .meta({ description: '`opening` and `booked` come to `closing`; null: not stated.' }),
});

/** The outcome of an entry of a bank. */
export const EntryOutcome = z
  .enum(['proposed', 'already_booked', 'ambiguous', 'unmatched', 'ignored'])
  .meta({ id: 'EntryOutcome' });

const entry = z.strictObject({
  id: z.uuid().meta({ description: 'The same in every file that holds the entry.' }),
  place: z.string().meta({ description: 'In the file: `entry 3, detail 2`, `line 5`.' }),
  booking_date: date,
  value_date: date.nullable(),
  amount: minor.meta({ description: 'Minor units; below 0 money went out.' }),
  currency: z.string(),
  name: z.string().nullable().meta({ description: 'Who paid.' }),
  iban: z.string().nullable(),
  text: z.string().meta({ description: 'What the payer says it is for.' }),
  bank_reference: z.string().nullable(),
  outcome: EntryOutcome,
  reason: z.string().meta({ description: 'Why it matched, or did not.' }),
  account_id: z.uuid().nullable(),
  account_name: z.string().nullable(),
  date: date.nullable().meta({
    description: 'Of the payment; null: today, because the books of that month are closed.',
  }),
  apply: appliedTo.meta({ description: 'Invoices that it would pay.' }),
  credit_balance: minor.meta({ description: 'The rest, which would be credit balance.' }),
  remains: minor.meta({ description: 'What would still be due of these invoices.' }),
  candidates: z
    .array(
      z.strictObject({
        number: z.string(),
        account_id: z.uuid(),
        account_name: z.string().nullable(),
        due: minor,
      }),
    )
    .meta({ description: 'Invoices that it may pay, of an ambiguous entry; at most ten.' }),
});

/** A file of a bank with what is proposed of each entry. */
export const BankProposals = z
  .strictObject({
    format: z.string().meta({ example: 'camt.053.001.08' }),
    statements: z.array(statement),
    entries: z.array(entry),
    totals: z
      .array(
        z.strictObject({
          currency: z.string(),
          read: minor.meta({ description: 'Sum of all entries: that of the outcomes.' }),
          outcomes: z.array(
            z.strictObject({ outcome: EntryOutcome, entries: z.int(), amount: minor }),
          ),
        }),
      )
      .meta({ description: 'By currency and outcome.' }),
  })
  .meta({ id: 'BankProposals' });
export type BankProposals = Frozen<z.output<typeof BankProposals>>;

const confirmed = z.strictObject({
  id: uuidField.meta({ description: 'Of the entry, as it was proposed.' }),
  account_id: uuidField.meta({ description: 'Whose payment it is.' }),
  amount: minor.min(1),
  currency,
  date: z
    .string()
    .refine((text) => parseDate(text) !== undefined, 'A date like 2026-11-24')
    .nullable()
    .default(null)
    .meta({ format: 'date', description: 'When it was paid; null: today.' }),
  reference: codeField(140)
    .nullable()
    .default(null)
    .meta({ description: 'The reference of the bank.' }),
  apply: z
    .array(z.strictObject({ number: z.string().min(1).max(40), amount: minor.min(1) }))
    .max(INVOICES_MAX)
    .optional()
    .meta({ description: 'Invoices that it pays; without it those that are due, oldest first.' }),
});

/** Entries of a bank, as somebody confirms them. */
export const BookBankEntries = z
  .strictObject({
    entries: z
      .array(confirmed)
      .min(1)
      .max(BOOKED_MAX)
      .refine((all) => new Set(all.map(({ id }) => id)).size === all.length, 'Each entry once'),
  })
  .meta({ id: 'BookBankEntries' });

/** Entries that were confirmed, each with its payment or why there is none. */
export const BookedBankEntries = z
  .strictObject({
    entries: z.array(
      z.strictObject({
        id: z.uuid(),
        outcome: z.enum(['booked', 'already_booked', 'refused']).meta({ id: 'BookingOutcome' }),
        account_id: z.uuid(),
        payment_id: z.uuid().nullable().meta({ description: 'Null: it was refused.' }),
        amount: minor.meta({ description: 'What is recorded; 0: it was refused.' }),
        currency: z.string(),
        applied: appliedTo.meta({ description: 'What was set against invoices.' }),
        credit_balance_change: minor,
        detail: z.string().nullable().meta({ description: 'Why it was refused.' }),
      }),
    ),
    totals: z
      .array(z.strictObject({ currency: z.string(), payments: z.int(), amount: minor }))
      .meta({ description: 'What this request has booked.' }),
  })
  .meta({ id: 'BookedBankEntries' });
export type BookedBankEntries = Frozen<z.output<typeof BookedBankEntries>>;
