import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { priceField, textField } from '#web/body-fields.js';

/** Categories of tax. */
export const TaxCategory = z.enum(['S', 'Z', 'E', 'AE', 'G', 'O']).meta({
  id: 'TaxCategory',
  description:
    'Code of EN 16931: standard, zero, exempt, reverse charge, export, outside the scope.',
});

/** EN 16931 knows a rate above zero for the standard category, and for no other. */
export const taxField = z
  .strictObject({
    category: TaxCategory,
    rate_percent: z
      .number()
      .min(0)
      .max(100)
      .refine((rate) => Math.round(rate * 10_000) / 10_000 === rate, 'At most four decimals')
      .meta({ description: 'Above 0 for category S, 0 for all others; at most four decimals.' }),
    reason: textField(500).optional().meta({ description: 'Why no tax is due.' }),
  })
  .refine(({ category, rate_percent: rate }) => (category === 'S') === rate > 0, {
    path: ['rate_percent'],
    message: 'Above 0 for category S, 0 for all others',
  });

/** Monthly price of an account, net, in minor units of its currency. */
export const planField = z
  .strictObject({
    monthly_fee: priceField,
    included_credits: z.int().min(0).max(CREDITS_MAX),
    price_per_1000_credits: priceField.meta({
      description: 'Price of usage beyond all credits.',
    }),
    tax: taxField,
  })
  .meta({
    description:
      'Whole months: that of the opening where the account is opened with it, else from the next on.',
  });
