import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';

/** Why a call was refused: the codes of problems 402, 403 and 429. */
export const REFUSAL_CODES = [
  'out-of-credits',
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
  .meta({
    id: 'RefusedCall',
    examples: [
      {
        account_id: '00000000-0000-4000-8000-000000000001',
        at: '2026-11-21T12:41:07.204Z',
        first_at: '2026-11-21T12:00:02.117Z',
        times: 42,
        path: '/v1/latest/cat1/trends/all/popindex/us/beauty',
        api_key_id: '5f6e7d8c-1b2a-4938-8475-66574839201a',
        status: 402,
        code: 'out-of-credits',
        required_credits: 50_000,
      },
    ],
  });
export type RefusalView = Frozen<z.output<typeof RefusedCall>>;
