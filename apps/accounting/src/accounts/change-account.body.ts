import { z } from 'zod';
import { textField } from '#web/body-fields.js';
import {
  lowBalanceField,
  overdraftField,
  rateCardField,
  rateLimitField,
} from './open-account.body.js';
import { planField } from '#invoicing/plan.body.js';

/** Body of `PATCH /accounts/{id}`: what is absent stays as it is. */
export const changeAccountBody = z
  .strictObject({
    name: textField(200).optional(),
    overdraft_credits: overdraftField.optional(),
    rate_limit: rateLimitField.optional(),
    low_balance_credits: lowBalanceField.optional(),
    rate_card: rateCardField.optional(),
    plan: planField.nullable().optional(),
    reason: textField(500).optional(),
  })
  .refine(
    ({ reason: _reason, ...changes }) => Object.keys(changes).length > 0,
    'At least one member that changes something',
  );

export type ChangeAccountBody = z.output<typeof changeAccountBody>;
