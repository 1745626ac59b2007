import { z } from 'zod';
import { ROLES } from '#rest/operation/role.js';

// What answers about admin tokens and the audit look like.

const uuid = z.uuid();
const moment = z.iso.datetime();

const tokenMembers = {
  id: uuid,
  name: z.string().nullable(),
  role: z.enum(ROLES),
  prefix: z.literal('pixadm_'),
  last_four: z.string(),
  status: z.enum(['active', 'revoked', 'expired']),
  issued_by: z.string().meta({ description: 'Id of a token; `owner`: ADMIN_TOKEN.' }),
  issued_at: moment,
  expires_at: moment.nullable(),
  revoked_at: moment.nullable(),
  last_used_at: moment.nullable().meta({ description: 'To the minute.' }),
} as const;

/** Schemas of these answers by the name that the document gives them. */
export const SAFETY_ANSWERS = {
  AdminToken: z.strictObject(tokenMembers),
  NewAdminToken: z.strictObject({
    ...tokenMembers,
    token: z
      .string()
      .regex(/^pixadm_[0-9A-Za-z]{46}$/)
      .optional()
      .meta({
        description: 'The secret, shown this once: the answer to a retry is without it.',
      }),
  }),
  AuditEntry: z.strictObject({
    at: moment.meta({ description: 'Real time, whatever the clock of the account says.' }),
    by: z
      .string()
      .nullable()
      .meta({
        description:
          'Id of an admin token; `owner`: ADMIN_TOKEN, `system`: the service. Null: the service too, ' +
          'a command, or nobody known.',
      }),
    by_name: z.string().nullable(),
    type: z.string(),
    account_id: uuid.nullable().meta({ description: 'Null: the change is about the service.' }),
    reason: z.string().nullable(),
    request_id: z.string().nullable(),
    lane: z
      .int()
      .nullable()
      .meta({ description: 'Null: no event of the log, but sign-ins counted by the minute.' }),
    position: z.int().nullable().meta({ description: 'In its lane of the log.' }),
    data: z.record(z.string(), z.unknown()).meta({
      description:
        'What the event says. Of `SignedIn`, `SignInFailed` and `RoleDenied`: `door` (`admin`, ' +
        '`console` or `portal`), `address` (`others`: of many), `times` and, where a role was ' +
        'denied, the first `route`.',
    }),
  }),
} as const;
