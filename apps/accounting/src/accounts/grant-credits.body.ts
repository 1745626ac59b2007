import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { instantField, priceField, textField } from '#web/body-fields.js';

const PRIORITY_MAX = 1_000_000;

/** Body of `POST /accounts/{id}/grants`. */
export const grantCreditsBody = z
  .strictObject({
    credits: z.int().min(1).max(CREDITS_MAX),
    kind: z.enum(['purchased', 'promotional']),
    price: priceField
      .nullable()
      .default(null)
      .meta({ description: 'Net, in minor units of the currency; purchased credits only.' }),
    expires_at: instantField.nullable().default(null),
    priority: z
      .int()
      .min(0)
      .max(PRIORITY_MAX)
      .default(100)
      .meta({ description: 'Lower is drawn first; then the earliest expiry, then the oldest.' }),
    note: textField(500).nullable().default(null),
  })
  .refine(({ kind, price }) => kind === 'purchased' || price === null, {
    path: ['price'],
    message: 'Only purchased credits have a price',
  });

export type GrantCreditsBody = z.output<typeof grantCreditsBody>;
