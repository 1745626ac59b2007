import { z } from 'zod';
import { API_KEY_PREFIXES } from '#account/api-key.js';
import { instantField, textField } from '#web/body-fields.js';
import type { Frozen } from '../operation/frozen.js';

// API keys, in requests and in answers.

const SCOPES = ['data', 'account:read', 'account:write'] as const;
/** `account:write` is asked for by name: most keys only pull. */
const SCOPES_UNLESS_GIVEN = ['data', 'account:read'] as const;
const OVERLAP_HOURS_MAX = 168;

/** Rights of an API key. */
export const Scope = z.enum(SCOPES).meta({ id: 'Scope' });

/** In which status a key or token is. */
export const KeyStatus = z.enum(['active', 'revoked', 'expired']).meta({ id: 'KeyStatus' });

const scopes = z.array(Scope);
const moment = z.iso.datetime();

/** An API key to issue. */
export const IssueApiKey = z
  .strictObject({
    label: textField(100).meta({ description: 'What the key is for.' }),
    scopes: scopes
      .min(1)
      .refine((names) => new Set(names).size === names.length, 'Each scope at most once')
      .default([...SCOPES_UNLESS_GIVEN])
      .meta({
        description:
          '`data` calls the data, `account:read` reads the account, `account:write` changes its ' +
          'budgets, webhooks and keys, and disputes calls.',
      }),
    expires_at: instantField
      .nullable()
      .default(null)
      .meta({ description: 'When the key stops working; null: never.' }),
  })
  .meta({ id: 'IssueApiKey' });
export type IssueApiKey = z.output<typeof IssueApiKey>;

/** How an API key is replaced by another one. */
export const RotateApiKey = z
  .strictObject({
    overlap_hours: z.int().min(0).max(OVERLAP_HOURS_MAX).meta({
      description: 'How long the old key still works beside the new one; 0: not at all.',
    }),
  })
  .meta({ id: 'RotateApiKey' });

const issued = z.strictObject({
  id: z.uuid(),
  label: z.string().nullable(),
  prefix: z.enum(API_KEY_PREFIXES).meta({ id: 'ApiKeyPrefix' }),
  last_four: z.string(),
  scopes,
  expires_at: moment.nullable(),
  issued_at: moment,
});

/** An API key as a list shows it. */
export const ApiKey = issued
  .extend({
    status: KeyStatus,
    revoked_at: moment.nullable(),
    last_used_at: moment.nullable().meta({
      description: 'Its latest call among the latest events of the account; null: none is.',
    }),
  })
  .meta({ id: 'ApiKey' });
export type ApiKey = Frozen<z.output<typeof ApiKey>>;

/** An API key as it was issued. */
export const IssuedApiKey = issued
  .extend({
    key: z.string().optional().meta({
      description: 'The secret, shown this once: the answer to a retry is without it.',
    }),
  })
  .meta({ id: 'IssuedApiKey' });
export type IssuedApiKey = Frozen<z.output<typeof IssuedApiKey>>;
