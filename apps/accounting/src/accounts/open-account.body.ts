import { z } from 'zod';
import { CREDITS_MAX, instantField, textField } from './body-fields.js';

const CURRENCIES = new Set(Intl.supportedValuesOf('currency'));
const CALLS_PER_SECOND_MAX = 1_000_000;

const rateLimit = z.strictObject({
  per_second: z.int().min(1).max(CALLS_PER_SECOND_MAX),
  burst: z.int().min(1).max(CALLS_PER_SECOND_MAX),
});

/** Body of `POST /accounts`. Null stands for what is left out, but for `overdraft_credits`. */
export const openAccountBody = z.strictObject({
  name: textField(200),
  currency: z
    .string()
    .refine((code) => CURRENCIES.has(code), 'An ISO 4217 code such as USD')
    .default('USD')
    .meta({ description: 'ISO 4217.' }),
  overdraft_credits: z
    .int()
    .min(0)
    .max(CREDITS_MAX)
    .nullable()
    .default(0)
    .meta({ description: 'How far the balance may go below zero; null: no limit.' }),
  test_clock: instantField
    .nullable()
    .default(null)
    .meta({ description: 'Opens a test account that lives at this moment until it is moved.' }),
  rate_limit: rateLimit.nullable().default(null),
  low_balance_credits: z.int().min(0).max(CREDITS_MAX).nullable().default(null),
  rate_card: z
    .int()
    .min(1)
    .nullable()
    .default(null)
    .meta({ description: 'Version of a card of its own; null: the card of each window.' }),
});

export type OpenAccountBody = z.output<typeof openAccountBody>;
