import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { AdminRole } from '../operation/role.js';

const TOKEN_LENGTH_MAX = 1_000;

/** A token is a word: what the door takes behind `Bearer`. */
export const ConsoleSignIn = z
  .strictObject({
    token: z
      .string()
      .max(TOKEN_LENGTH_MAX)
      .regex(/^[\x21-\x7e]+$/, 'An admin token'),
  })
  .meta({ id: 'ConsoleSignIn' });
export type ConsoleSignIn = z.output<typeof ConsoleSignIn>;

/** Whose token or cookie a request has come with. */
export const ConsoleSession = z
  .strictObject({
    token_id: z.string().meta({
      description:
        '`owner`: ADMIN_TOKEN. Of a person at the identity provider: the id in the audit.',
    }),
    name: z.string().nullable(),
    role: AdminRole,
    has_company_account: z.boolean().meta({
      description: 'Whether the identity provider has signed in a person; false: a token.',
    }),
    billing_time_zone: z.string(),
    regions: z.array(z.string()).meta({ description: 'Regions that calls can name.' }),
    sources: z.array(z.string()).meta({ description: 'Sources of volumes, by whom shares are.' }),
    base_url: z.string().meta({ description: 'Public address of the data API.' }),
  })
  .meta({ id: 'ConsoleSession' });
export type ConsoleSession = Frozen<z.output<typeof ConsoleSession>>;
