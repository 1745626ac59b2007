import {
  DEFAULT_ACCOUNTS,
  type JournalAccounts,
  type Ledger,
} from '#invoice-rules/ledger-accounts.js';
import { z } from 'zod';
import { accountCode } from '#invoicing/bookkeeping.body.js';
import { monthField } from '#web/body-fields.js';

// Exports, in requests and in answers.

export const EXPORT_FORMATS = ['csv', 'jsonl', 'zip', 'journal', 'datev', 'focus'] as const;
/** Formats of documents; `focus` is one of costs. */
export type ExportFormat = Exclude<(typeof EXPORT_FORMATS)[number], 'focus'>;

const MONTH = { type: 'string', pattern: '^\\d{4}-\\d{2}$' } as const;

/** Whether test accounts are in it. */
export const TEST_ACCOUNTS = z
  .enum(['true', 'false'])
  .optional()
  .meta({
    description: '`true` includes test accounts, which are left out otherwise.',
    schema: { type: 'boolean', default: false },
  });

const NAMES = Object.keys(DEFAULT_ACCOUNTS) as Ledger[];
const CHARTED: readonly string[] = ['journal', 'datev'];

const codes = Object.fromEntries(
  NAMES.map((name) => {
    const description =
      'Of `format=journal` and `datev`: your code of this account; that of the seller unless given.';
    const schema = { type: 'string', minLength: 1, maxLength: 40, default: DEFAULT_ACCOUNTS[name] };
    return [name, accountCode.optional().meta({ description, schema })];
  }),
) as Record<Ledger, z.ZodOptional<typeof accountCode>>;

const members = z.strictObject({
  month: monthField.optional().meta({
    description:
      'Month of supply: what was used or bought in it, whenever it was invoiced. Of `journal` and ' +
      '`datev` it is the month of the posting dates.',
    schema: MONTH,
    example: '2026-10',
  }),
  issued_month: monthField.optional().meta({
    description:
      'Month of issue: invoices and credit notes that were issued in it, and payments made in it. ' +
      'Of `journal` and `datev` it is the month of the posting dates, as `month` is; not of `focus`.',
    schema: MONTH,
  }),
  format: z
    .enum(EXPORT_FORMATS)
    .meta({ id: 'ExportFormat' })
    .default('csv')
    .meta({ description: 'The form of the file.' }),
  test: TEST_ACCOUNTS,
  ...codes,
});

// Reported beside all that is wrong with single parameters.
const when = (): boolean => true;

/** The query of an export of documents: what does not go together is a fault, too. */
export const EXPORT_QUERY = NAMES.reduce(
  (schema, name) =>
    schema.refine((query) => CHARTED.includes(query.format) || query[name] === undefined, {
      path: [name],
      message: 'Only with `format=journal` or `format=datev`',
      when,
    }),
  members
    .refine((query) => (query.month === undefined) !== (query.issued_month === undefined), {
      path: ['month'],
      message: 'Either `month` (of supply) or `issued_month` (of issue and payment)',
      when,
    })
    .refine((query) => query.format !== 'focus' || query.issued_month === undefined, {
      path: ['issued_month'],
      message: 'Not with `format=focus`, which is by month of supply: use `month`',
      when,
    }),
);
export type ExportQuery = z.output<typeof EXPORT_QUERY>;

/** The codes that a request gives. */
export function accountsOf(query: ExportQuery): Partial<JournalAccounts> {
  return Object.fromEntries(
    NAMES.flatMap((name) => (query[name] === undefined ? [] : [[name, query[name]]])),
  );
}

/** The query of the credit liability. */
export const LIABILITY_QUERY = z.strictObject({
  month: monthField.meta({
    description: 'From its first to its last instant.',
    schema: MONTH,
    example: '2026-10',
  }),
  test: TEST_ACCOUNTS,
});

const value = z.strictObject({
  credits: z.int(),
  amount: z.int().meta({ description: 'Net, in minor units: their share of the price.' }),
});
const parts = {
  opening: value,
  sold: value,
  used: value,
  expired: value,
  voided: value,
  closing: value,
} as const;

/** Liability of purchased credits. */
export const CreditLiability = z
  .strictObject({
    month: z.string(),
    final: z.boolean().meta({ description: 'Whether the month has ended.' }),
    items: z.array(
      z.strictObject({
        account_id: z.uuid(),
        currency: z.string(),
        grant_id: z.uuid(),
        ...parts,
        account_closed: z.boolean().meta({
          description:
            "Whether the account was closed by the month's end; its credits are still owed.",
        }),
      }),
    ),
    totals: z.array(z.strictObject({ currency: z.string(), ...parts })),
  })
  .meta({ id: 'CreditLiability' });
