import { z } from 'zod';
import { CREDITS_MAX } from '#account/limits.js';
import { isCurrency } from '#invoice-rules/currencies.js';
import { priceField, textField } from '#web/body-fields.js';

const NAME_LENGTH = 60;
const PACKAGES_MAX = 50;

/** Members of a package that orders repeat. */
export const packageFields = {
  name: textField(NAME_LENGTH),
  credits: z.int().min(1).max(CREDITS_MAX),
  price: priceField,
};

/** Packages of credits that the seller offers. */
export const packagesField = z
  .array(
    z.strictObject({
      name: packageFields.name,
      credits: packageFields.credits,
      price: packageFields.price.meta({ description: 'Net, in minor units.' }),
      currency: z
        .string()
        .refine(isCurrency, 'An ISO 4217 code in force, such as USD')
        .meta({ description: 'Accounts in this currency can order it.' }),
    }),
  )
  .max(PACKAGES_MAX)
  .superRefine((packages, context) => {
    const known = new Set<string>();
    for (const [index, { name, currency }] of packages.entries()) {
      const key = `${currency} ${name}`;
      if (known.has(key)) {
        const message = `Another package in ${currency} has this name: each needs its own`;
        context.addIssue({ code: 'custom', path: [index, 'name'], message });
      }
      known.add(key);
    }
  })
  .readonly()
  .meta({ description: 'Packages of credits on the price list, in this order.' });

/** How orders of packages are answered. */
export const ordersField = z.enum(['approve', 'at-once']).meta({
  id: 'AnswerToOrders',
  description:
    '`approve`: an operator accepts or declines each order; `at-once`: its credits come with the ' +
    'order. Without it no orders are taken.',
});
