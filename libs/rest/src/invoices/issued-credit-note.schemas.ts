import { z } from 'zod';
import { CREDIT_NOTE } from './invoice.examples.js';
import { CreditNote } from './invoice.schemas.js';

/** A credit note with what it did to the credits of the account. */
export const IssuedCreditNote = CreditNote.extend({
  credits_taken_back: z
    .int()
    .meta({ description: 'Unused credits of purchases that went with it.' }),
  credits_kept: z.int().meta({
    description: 'Unused credits of purchases that the account keeps, as promotional ones.',
  }),
}).meta({
  id: 'IssuedCreditNote',
  examples: [{ ...CREDIT_NOTE, credits_taken_back: 0, credits_kept: 0 }],
  description: 'The reversal of an invoice or of a part of it, and the credits that moved with it.',
});
