import { z } from 'zod';
import { Account } from '../accounts/account.schemas.js';
import type { Frozen } from '../operation/frozen.js';
import { cardChanges, cardPrices } from '../rate-cards/rate-card.schemas.js';

// Spending and prices to come, in answers.

const credits = z.int();

/** Credits that an account is expected to spend. */
export const Forecast = z
  .strictObject({
    confidence: Account.shape.forecast.shape.confidence,
    month_credits: credits.meta({ description: 'Of the running month when it ends.' }),
    next_window_credits: credits.meta({
      description: 'For the first calls of the next window, at its prices.',
    }),
    days: z
      .array(
        z.strictObject({
          day: z.iso.date(),
          window: z.string().regex(/^\d{4}w\d{2}$/),
          credits,
        }),
      )
      .meta({
        description:
          'The rest of today, and each day after it to the end of the month and of the next window.',
      }),
    credit_price: z
      .strictObject({
        per_1000_credits: z.int().meta({ description: 'In minor units.' }),
        currency: z.string(),
        basis: z.enum(['plan', 'purchase']).meta({
          id: 'CreditPriceBasis',
          description:
            'The price of the plan beyond its included credits, or that of the purchase that is ' +
            'drawn on first.',
        }),
      })
      .nullable()
      .meta({ description: 'Null: the credits have no price.' }),
  })
  .meta({ id: 'Forecast' });
export type Forecast = Frozen<z.output<typeof Forecast>>;

const weekly = credits.meta({
  description: 'Cost of the first calls of a week by this card, as the account made them last.',
});

/** The prices of an account. */
export const Prices = z
  .strictObject({
    in_force: z.strictObject({ ...cardPrices, weekly_credits: weekly }),
    own: z.boolean().meta({
      description: 'Whether it is a card of the account’s own, which no announced one replaces.',
    }),
    next: z
      .strictObject({
        ...cardPrices,
        weekly_credits: weekly,
        changes: z.strictObject(cardChanges).meta({ description: 'Against the card in force.' }),
      })
      .nullable()
      .meta({ description: 'The next card that is announced; null: none.' }),
  })
  .meta({ id: 'Prices' });
export type Prices = Frozen<z.output<typeof Prices>>;
