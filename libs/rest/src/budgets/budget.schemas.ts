import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { uuidField } from '#web/body-fields.js';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';

// Budgets, in requests and in answers.

const THRESHOLDS_MAX = 10;
const EMAILS_MAX = 10;
const EMAIL_LENGTH_MAX = 254;

const period = z.enum(['month', 'window']).meta({ id: 'BudgetPeriod' });
const action = z.enum(['alert', 'block']).meta({ id: 'BudgetAction' });
const percentages = z.array(z.int());
const moment = z.iso.datetime();

function isEachOnce(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

const notify = z.strictObject({
  emails: z
    .array(z.email().max(EMAIL_LENGTH_MAX))
    .min(1)
    .max(EMAILS_MAX)
    .refine(isEachOnce, 'Each address at most once'),
});

/** A budget to create, or the replacement of one. */
export const SetBudget = z
  .strictObject({
    period: period.meta({ description: 'Month, or window from Tuesday to Monday.' }),
    limit_credits: z
      .int()
      .min(1)
      .max(CREDITS_MAX)
      .meta({ description: 'Credits that may be spent in a period.' }),
    thresholds: z
      .array(z.int().min(1).max(100))
      .max(THRESHOLDS_MAX)
      .refine(isEachOnce, 'Each threshold at most once')
      .transform((thresholds) => thresholds.toSorted((one, other) => one - other))
      .meta({ description: 'Percentages of the limit; each is reported once a period.' }),
    action: action.meta({ description: '`block` also refuses calls that would exceed the limit.' }),
    api_key_id: uuidField
      .nullable()
      .default(null)
      .meta({ description: 'The API key whose calls count; null: those of the whole account.' }),
    notify: notify
      .nullable()
      .default(null)
      .meta({ description: 'Who receives alerts by mail; webhooks receive all of them.' }),
    reason: reasonField,
  })
  .meta({ id: 'SetBudget' });
export type SetBudget = z.output<typeof SetBudget>;

const budget = z.strictObject({
  id: z.uuid(),
  period,
  limit_credits: z.int(),
  thresholds: percentages.meta({ description: 'Percentages of the limit.' }),
  action,
  api_key_id: z.uuid().nullable().meta({ description: 'Null: calls of the whole account count.' }),
  spent_credits: z.int().meta({
    description: 'Since the running period began. Calls that were given back stay counted.',
  }),
  left_credits: z.int(),
  resets_at: moment,
  exhausted_at: moment.nullable().meta({
    description:
      'When it is used up, if the account goes on as in its last windows; null: not before its ' +
      'period ends.',
  }),
  expected_credits: z.int().meta({ description: 'Spent by the end of the running period.' }),
});

/** A budget as its account shows it. */
export const Budget = budget.meta({ id: 'Budget' });

/** A budget with its running period and its recipients. */
export const BudgetDetails = budget
  .extend({
    running_period: z.string().meta({ description: 'Label of the month or window that runs.' }),
    crossed_thresholds: percentages.meta({
      description: 'Thresholds crossed in the running period, ascending.',
    }),
    blocked: z
      .boolean()
      .meta({ description: 'Whether the budget has refused a call in the running period.' }),
    notify: z
      .strictObject({ emails: z.array(z.string()) })
      .nullable()
      .meta({ description: 'Who receives alerts by e-mail; null: nobody, or erased.' }),
  })
  .meta({ id: 'BudgetDetails' });
export type BudgetDetails = Frozen<z.output<typeof BudgetDetails>>;

/** A limit to be tried on calls that were made. */
export const TryBudget = SetBudget.pick({
  period: true,
  limit_credits: true,
  api_key_id: true,
}).meta({ id: 'TryBudget' });
export type TryBudget = z.output<typeof TryBudget>;

/** Calls that a blocking budget would have refused. */
export const TriedBudget = z
  .strictObject({
    spent_credits: z.int().meta({ description: 'In the running period by now.' }),
    periods: z
      .array(
        z.strictObject({
          period: z.string().meta({ description: 'Label of the month or window.' }),
          calls: z.int(),
          credits_used: z.int(),
          refused_calls: z.int().meta({ description: 'Calls that the limit would have refused.' }),
          refused_credits: z.int().meta({ description: 'What they were charged.' }),
          first_refused_at: moment.nullable(),
          is_whole: z.boolean().meta({
            description: 'False: only the first 100,000 calls of the period were looked at.',
          }),
        }),
      )
      .meta({ description: 'The running period, and the one before it.' }),
  })
  .meta({ id: 'TriedBudget' });
export type TriedBudget = Frozen<z.output<typeof TriedBudget>>;
