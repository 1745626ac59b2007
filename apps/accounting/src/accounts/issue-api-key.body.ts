import { z } from 'zod';
import { instantField, textField } from '#web/body-fields.js';

const SCOPES = ['data', 'account:read'] as const;

/** Body of `POST /accounts/{id}/api-keys`. */
export const issueApiKeyBody = z.strictObject({
  label: textField(100),
  scopes: z
    .array(z.enum(SCOPES))
    .min(1)
    .refine((scopes) => new Set(scopes).size === scopes.length, 'Each scope at most once')
    .default([...SCOPES]),
  expires_at: instantField.nullable().default(null),
});

export type IssueApiKeyBody = z.output<typeof issueApiKeyBody>;
