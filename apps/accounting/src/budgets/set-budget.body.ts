import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { textField, uuidField } from '#web/body-fields.js';

const THRESHOLDS_MAX = 10;
const EMAILS_MAX = 10;
const EMAIL_LENGTH_MAX = 254;

function isEachOnce(values: readonly unknown[]): boolean {
  return new Set(values).size === values.length;
}

const notify = z.strictObject({
  emails: z
    .array(z.email('This is no e-mail address').max(EMAIL_LENGTH_MAX))
    .min(1)
    .max(EMAILS_MAX)
    .refine(isEachOnce, 'Each address at most once'),
});

/** Body of `POST /accounts/{id}/budgets`, and of `PUT`, which says all of a budget anew. */
export const setBudgetBody = z.strictObject({
  period: z.enum(['month', 'window']),
  limit_credits: z.int().min(1).max(CREDITS_MAX),
  thresholds: z
    .array(z.int().min(1).max(100))
    .max(THRESHOLDS_MAX)
    .refine(isEachOnce, 'Each threshold at most once')
    .transform((thresholds) => thresholds.toSorted((one, other) => one - other))
    .meta({ description: 'Percentages of the limit; each is told of once a period.' }),
  action: z.enum(['alert', 'block']).meta({
    description: '`block` also refuses calls that would exceed the limit.',
  }),
  api_key_id: uuidField
    .nullable()
    .default(null)
    .meta({ description: 'The API key whose calls count; null: those of the whole account.' }),
  notify: notify
    .nullable()
    .default(null)
    .meta({ description: 'Whom alerts are mailed to; webhooks are told of all.' }),
  reason: textField(500).optional(),
});

export type SetBudgetBody = z.output<typeof setBudgetBody>;
