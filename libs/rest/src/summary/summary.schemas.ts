import { z } from 'zod';
import { AGES } from '#invoice-rules/account-statement.js';
import type { Frozen } from '../operation/frozen.js';
import { Verification } from '../system/system.schemas.js';
import { RefusalCode } from '../refusals/refusal.schemas.js';

const amount = z.int().meta({ description: 'In minor units.' });
const count = z.int().min(0);
const credits = z.int();
const windowLabel = z.string().regex(/^\d{4}w\d{2}$/);

const account = { account_id: z.uuid(), account_name: z.string().nullable() };

const ageing = z
  .strictObject(
    Object.fromEntries(AGES.map((age) => [age, amount])) as Record<
      (typeof AGES)[number],
      typeof amount
    >,
  )
  .meta({ description: 'What is due, by the days for which it has been overdue.' });

const money = z.strictObject({
  currency: z.string(),
  months: z
    .array(
      z.strictObject({
        month: z.string().regex(/^\d{4}-\d{2}$/),
        invoices: count.meta({ description: 'Issued in that month.' }),
        issued: amount.meta({ description: 'Their totals, tax included, in minor units.' }),
        credited: amount.meta({
          description: 'Totals of the credit notes issued in that month, in minor units.',
        }),
        paid: amount.meta({ description: 'Paid of them until now, in minor units.' }),
      }),
    )
    .meta({ description: 'The month before the running one, and the running one.' }),
  due: amount.meta({ description: 'Of all invoices, in minor units.' }),
  overdue: amount.meta({ description: 'The part of `due` that should have been paid.' }),
  overdue_invoices: count,
  ageing,
  held_invoices: count.meta({ description: 'Due, and not issued because they lack facts.' }),
  held_total: amount.meta({ description: 'Their totals, tax included, in minor units.' }),
  liability: amount.meta({
    description: 'Value of purchased credits that are left, without tax, in minor units.',
  }),
  accounts: z
    .array(
      z.strictObject({
        ...account,
        billed: amount.meta({
          description: 'Totals of its invoices less their credit notes, in minor units.',
        }),
      }),
    )
    .meta({
      description: 'At most ten that were billed most in twelve months, the running one included.',
    }),
});

const change = z.strictObject({
  ...account,
  credits,
  credits_before: credits,
  difference: credits,
});

const span = z.strictObject({
  window: windowLabel,
  from: z.iso.date(),
  to: z.iso.date().meta({ description: 'Exclusive.' }),
});

/** Whose figures are asked for. */
export const SummaryQuery = z.strictObject({
  test: z
    .enum(['true', 'false'])
    .optional()
    .meta({
      description:
        '`true`: those of test accounts, `false`: those of customers. Without it those of ' +
        'customers, unless there are test accounts alone.',
      schema: { type: 'boolean' },
    }),
});

/** Figures about all customers. */
export const Summary = z
  .strictObject({
    at: z.iso.datetime().meta({ description: 'When it was read; for half a minute it is kept.' }),
    test: z.boolean().meta({
      description: 'Whether the figures are those of test accounts, and else of customers.',
    }),
    money: z.array(money).meta({ description: 'By currency.' }),
    held_invoices: count.meta({ description: 'Due, and not issued because they lack facts.' }),
    open_disputes: z.strictObject({ disputes: count, accounts: count }),
    without_credits: z
      .strictObject({ accounts: count, first: z.array(z.strictObject(account)) })
      .meta({
        description: 'Open accounts that can pay for no call, with at most ten of them.',
      }),
    credits: z
      .strictObject({
        month: z.string().regex(/^\d{4}-\d{2}$/),
        sold: credits.meta({ description: 'Purchased in that month, and not voided.' }),
        used: credits.meta({ description: 'Used by calls of that month.' }),
        left: credits.meta({ description: 'Purchased at any time and left now.' }),
      })
      .meta({ description: 'Of the running month; test accounts go by their own clocks.' }),
    changes: z.strictObject({
      span,
      before: span.meta({ description: 'The same days of the window before.' }),
      accounts: z.array(change).meta({ description: 'At most ten, the largest difference first.' }),
    }),
    refusals: z.strictObject({
      since: z.iso.datetime(),
      calls: count,
      accounts: count,
      reasons: z
        .array(z.strictObject({ code: RefusalCode, calls: count, accounts: count }))
        .meta({ description: 'The most frequent first.' }),
    }),
    last_verification: Verification.nullable().meta({
      description: 'The latest, by whichever process; null: there is none.',
    }),
  })
  .meta({ id: 'Summary' });
export type Summary = Frozen<z.output<typeof Summary>>;
