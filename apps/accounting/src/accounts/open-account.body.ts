import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { instantField, textField } from '#web/body-fields.js';
import { planField } from '#invoicing/plan.body.js';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const CALLS_PER_SECOND_MAX = 1_000_000;

export const rateLimitField = z
  .strictObject({
    per_second: z.int().min(1).max(CALLS_PER_SECOND_MAX),
    burst: z.int().min(1).max(CALLS_PER_SECOND_MAX),
  })
  .nullable();

export const overdraftField = z
  .int()
  .min(0)
  .max(CREDITS_MAX)
  .nullable()
  .meta({ description: 'How far the balance may go below zero; null: no limit.' });

export const lowBalanceField = z.int().min(0).max(CREDITS_MAX).nullable();

export const rateCardField = z
  .int()
  .min(1)
  .nullable()
  .meta({ description: 'Version of a card of its own; null: the card of each window.' });

/** Body of `POST /accounts`. Null stands for what is left out, but for `overdraft_credits`. */
export const openAccountBody = z.strictObject({
  name: textField(200),
  currency: z
    .string()
    .refine((code) => CURRENCIES.has(code), 'An ISO 4217 code such as USD')
    .default('USD')
    .meta({ description: 'ISO 4217.' }),
  overdraft_credits: overdraftField.optional().meta({
    description:
      'How far the balance may go below zero; null: no limit, which is the default with a plan. Else it is 0.',
  }),
  test_clock: instantField
    .nullable()
    .default(null)
    .meta({ description: 'Opens a test account that lives at this moment until it is moved.' }),
  rate_limit: rateLimitField.default(null),
  low_balance_credits: lowBalanceField.default(null),
  plan: planField.nullable().default(null),
  rate_card: rateCardField.default(null),
});

export type OpenAccountBody = z.output<typeof openAccountBody>;
