import { z } from 'zod';
import { instantField, textField } from '#web/body-fields.js';
import { KeyStatus } from '../api-keys/api-key.schemas.js';
import type { Frozen } from '../operation/frozen.js';
import { Reason } from '../operation/reason.js';
import { AdminRole } from '../operation/role.js';
import { ADMIN_TOKEN_PREFIX } from './new-admin-token.js';

// Admin tokens, in requests and in answers.

const moment = z.iso.datetime();

/** An admin token to issue. */
export const IssueAdminToken = z
  .strictObject({
    name: textField(100).meta({
      description: 'Who or what uses it. Shown in lists and the audit.',
    }),
    role: AdminRole.meta({
      description:
        '`owner` may do everything, `billing` all but admin tokens and releases, `support` may ' +
        'read, `data` keeps releases.',
    }),
    expires_at: instantField
      .nullable()
      .default(null)
      .meta({ description: 'When the token stops working; null: never.' }),
    reason: Reason.shape.reason,
  })
  .meta({ id: 'IssueAdminToken' });
export type IssueAdminToken = z.output<typeof IssueAdminToken>;

const token = z.strictObject({
  id: z.uuid(),
  name: z.string().nullable().meta({ description: 'Null once it was erased.' }),
  role: AdminRole,
  prefix: z.literal(ADMIN_TOKEN_PREFIX),
  last_four: z.string(),
  status: KeyStatus,
  issued_by: z.string().meta({ description: 'Id of a token; `owner`: ADMIN_TOKEN.' }),
  issued_at: moment,
  expires_at: moment.nullable(),
  revoked_at: moment.nullable(),
  last_used_at: moment.nullable().meta({ description: 'When it was last used, to the minute.' }),
});

/** An admin token without its secret. */
export const AdminToken = token.meta({ id: 'AdminToken' });
export type AdminToken = Frozen<z.output<typeof AdminToken>>;

/** An admin token that was just issued. */
export const NewAdminToken = token
  .extend({
    token: z
      .string()
      .regex(/^pixadm_[0-9A-Za-z]{46}$/)
      .optional()
      .meta({ description: 'The secret, shown this once: the answer to a retry is without it.' }),
  })
  .meta({ id: 'NewAdminToken' });
export type NewAdminToken = Frozen<z.output<typeof NewAdminToken>>;
