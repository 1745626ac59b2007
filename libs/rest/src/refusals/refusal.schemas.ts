import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

/** Why a call was refused: the codes of problems 402, 403 and 429. */
export const REFUSAL_CODES = [
  'out-of-credits',
  'credits-held',
  'budget-exhausted',
  'account-suspended',
  'forbidden',
  'rate-limited',
] as const;

export const RefusalCode = z.enum(REFUSAL_CODES).meta({ id: 'RefusalCode' });

/** Calls of one hour that were refused for one reason. */
export const RefusedCall = z
  .strictObject({
    account_id: z.uuid(),
    account_name: z.string().nullable().optional().meta({
      description: 'In lists over all accounts; null: erased.',
    }),
    at: z.iso.datetime().meta({ description: 'The last of them.' }),
    first_at: z.iso.datetime().meta({ description: 'The first of them in its hour.' }),
    times: z.int().min(1),
    path: z.string().nullable().meta({
      description:
        'As it was sent; null: no path of a resource, or several that are counted together.',
    }),
    api_key_id: z.uuid(),
    status: z.int(),
    code: RefusalCode,
    required_credits: z.int().nullable().meta({
      description: 'The cost of the last of them; null: the price was not looked up.',
    }),
  })
  .meta({ id: 'RefusedCall' });
export type RefusalView = Frozen<z.output<typeof RefusedCall>>;
