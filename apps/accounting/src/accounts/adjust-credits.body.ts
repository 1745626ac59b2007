import { z } from 'zod';
import { textField, uuidField } from '#web/body-fields.js';

/** Body of `POST /accounts/{id}/adjustments`. */
export const adjustCreditsBody = z.strictObject({
  credits: z
    .int()
    .refine((credits) => credits !== 0, 'Credits to give (positive) or to take (negative)'),
  reason: textField(500),
  call_id: uuidField.nullable().default(null).meta({
    description: 'The call that is given back: at most once, and at most what it was charged.',
  }),
});

export type AdjustCreditsBody = z.output<typeof adjustCreditsBody>;
