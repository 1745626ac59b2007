import { z } from 'zod';
import { textField } from '#web/body-fields.js';

const EXPIRES_IN_S = 900;
const EXPIRES_IN_S_MIN = 10;
const EXPIRES_IN_S_MAX = 7 * 86_400;

/** Body of `POST /accounts/{id}/portal-sessions`. */
export const openPortalSessionBody = z.strictObject({
  role: z.enum(['viewer', 'manager']).default('viewer').meta({
    description: 'A viewer looks; a manager changes budgets, keys and webhooks, and pulls.',
  }),
  expires_in: z
    .int()
    .min(EXPIRES_IN_S_MIN)
    .max(EXPIRES_IN_S_MAX)
    .default(EXPIRES_IN_S)
    .meta({ description: 'Seconds that the link works; the session it opens lasts 8 hours.' }),
  reason: textField(500).optional(),
});

export type OpenPortalSessionBody = z.output<typeof openPortalSessionBody>;
