import { z } from 'zod';
import { instantField, textField } from '#web/body-fields.js';
import { Reason } from '#rest/operation/reason.js';
import { ROLES } from '#rest/operation/role.js';

/** Body of `POST /admin-tokens`. */
export const issueAdminTokenBody = z.strictObject({
  name: textField(100).meta({ description: 'Who or what uses it. Shown in lists and the audit.' }),
  role: z.enum(ROLES).meta({
    description:
      '`owner` may do everything, `billing` all but admin tokens and releases, `support` may ' +
      'read, `data` keeps releases.',
  }),
  expires_at: instantField.nullable().default(null),
  reason: Reason.shape.reason,
});

export type IssueAdminTokenBody = z.output<typeof issueAdminTokenBody>;
