import { z } from 'zod';
import { callCost, placedRule, rules, windowLabel } from '../../rate-cards/rate-card-schemas.js';

const moment = z.iso.datetime();
const credits = z.int();
const version = z.int().min(1);

const sums = {
  calls: z.int(),
  actual_credits: credits.meta({ description: 'What the calls were charged.' }),
  preview_credits: credits.meta({ description: 'What they would have cost by the card.' }),
  difference: credits.meta({ description: '`preview_credits` less `actual_credits`.' }),
} as const;

/** Answers about rate cards, by the name that the document gives them. */
export const RATE_CARD_ANSWERS = {
  RateCard: z.strictObject({
    version,
    effective_window: windowLabel.nullable().meta({
      description:
        'The first window that it prices; null of the first card: from the beginning, of another ' +
        'one: it prices the accounts that name it.',
    }),
    effective_from: moment.nullable().meta({ description: 'When that window begins.' }),
    call_cost: callCost,
    rules,
    in_force: z.boolean().meta({ description: 'Whether it prices the running window.' }),
    in_force_next: z.boolean().meta({ description: 'Whether it prices the next window.' }),
    published_at: moment
      .nullable()
      .meta({ description: 'Null of the first card: it is built in.' }),
    published_by: z.string().nullable().meta({ description: 'Id of the token.' }),
    reason: z.string().nullable(),
  }),
  RateCardDiff: z.strictObject({
    version,
    against: version,
    call_cost: z.strictObject({ before: callCost, after: callCost }),
    rules: z.strictObject({
      added: z.array(placedRule),
      removed: z.array(placedRule),
      changed: z
        .array(z.strictObject({ name: z.string(), before: placedRule, after: placedRule }))
        .meta({ description: 'Rules of the same name that match or cost something else.' }),
      reordered: z
        .boolean()
        .meta({ description: 'Whether the rules that both have stand in another order.' }),
    }),
  }),
  RateCardPreview: z.strictObject({
    version: version.nullable().meta({ description: 'Null of prices that are not published.' }),
    from: moment,
    to: moment,
    total: z.strictObject({ accounts: z.int(), ...sums }),
    items: z
      .array(
        z.strictObject({
          account_id: z.uuid(),
          name: z.string().nullable(),
          test: z.boolean(),
          rate_card: version.nullable().meta({
            description: 'The card of its own, which a card for all would not replace.',
          }),
          ...sums,
        }),
      )
      .meta({ description: 'The greatest difference first; at most 10,000 accounts.' }),
    next: z.null(),
  }),
} as const;
