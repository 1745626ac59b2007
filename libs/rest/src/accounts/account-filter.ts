import { z } from 'zod';
import { PAGE_QUERY } from '#web/query.js';
import { Account } from './account.schemas.js';

const SEARCH_LENGTH_MAX = 200;

/** The query of the list of accounts. */
export const AccountFilter = z.strictObject({
  test: z
    .enum(['true', 'false'])
    .transform((text) => text === 'true')
    .optional()
    .meta({
      description:
        '`true` lists test accounts only, `false` leaves them out. Without it both are listed.',
      schema: { type: 'boolean' },
    }),
  search: z
    .string()
    .min(1)
    .max(SEARCH_LENGTH_MAX)
    .optional()
    .meta({
      description:
        'Words of the name or external id or parts of them, in any case, with or without accents; or the ' +
        'beginning of the id.',
    }),
  external_id: z.string().trim().min(1).max(SEARCH_LENGTH_MAX).optional().meta({
    description: 'Only the account with this external id.',
  }),
  status: Account.shape.status.optional().meta({ description: 'Only accounts in this status.' }),
  ...PAGE_QUERY,
});
export type AccountFilter = z.output<typeof AccountFilter>;
