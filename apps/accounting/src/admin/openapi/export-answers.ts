import { z } from 'zod';
import { statementAnswer } from '#ledger/statement-answer.js';

const value = z.strictObject({
  credits: z.int(),
  amount: z.int().meta({ description: 'Net, in minor units: their share of the price.' }),
});
const parts = {
  opening: value,
  sold: value,
  used: value,
  expired: value,
  voided: value,
  closing: value,
} as const;

/** Answers of exports by the name that the document gives them. */
export const EXPORT_ANSWERS = {
  Statement: statementAnswer,
  CreditLiability: z.strictObject({
    month: z.string(),
    final: z.boolean().meta({ description: 'Whether the month has ended.' }),
    items: z.array(
      z.strictObject({ account_id: z.uuid(), currency: z.string(), grant_id: z.uuid(), ...parts }),
    ),
    totals: z.array(z.strictObject({ currency: z.string(), ...parts })),
  }),
} as const;
