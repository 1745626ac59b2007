import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';
import { PortalRole } from '../portal-sessions/portal-session.schemas.js';

const EMAIL_LENGTH_MAX = 254;

const EXAMPLE = {
  id: '019a9c3e-5d1f-7c3a-9f0e-2b7d6f1a4c56',
  email: 'nadja@example.com',
  role: 'manager',
  added_by: 'owner',
  added_at: '2026-11-21T12:00:00.000Z',
  signed_in_at: null,
} as const;

/** A person to add, or to give another role. */
export const AddMember = z
  .strictObject({
    email: z
      .email()
      .max(EMAIL_LENGTH_MAX)
      .meta({
        description:
          'Upper and lower case are the same. Links are mailed to it; where people sign in with an ' +
          'identity provider it must be verified there.',
      }),
    role: PortalRole.default('viewer'),
    reason: reasonField,
  })
  .meta({ id: 'AddMember', examples: [{ email: EXAMPLE.email, role: 'manager' }] });
export type AddMember = z.output<typeof AddMember>;

const RETURN_LENGTH_MAX = 1_000;
const TOKEN_LENGTH_MAX = 200;

/** A link to sign in with, by e-mail. */
export const RequestLink = z
  .strictObject({
    email: z.email().max(EMAIL_LENGTH_MAX),
    return_to: z
      .string()
      .max(RETURN_LENGTH_MAX)
      .optional()
      .meta({
        description:
          'Path and query of the page of the portal that the link opens; the first page unless given, ' +
          'and for any other address.',
      }),
  })
  .meta({ id: 'RequestSignInLink', examples: [{ email: EXAMPLE.email, return_to: '/invoices' }] });
export type RequestLink = z.output<typeof RequestLink>;

/** The token of a mailed link. */
export const UseLink = z
  .strictObject({
    token: z.string().min(1).max(TOKEN_LENGTH_MAX).meta({
      description: 'What stands behind `#sign-in=` in the link.',
    }),
  })
  .meta({ id: 'UseSignInLink', examples: [{ token: 'pixmail_0000' }] });
export type UseLink = z.output<typeof UseLink>;

/** A person who may sign in to the portal of an account. */
export const Member = z
  .strictObject({
    id: z.uuid(),
    email: z.string(),
    role: PortalRole,
    added_by: z.string().meta({ description: 'Id of the operator, or of the portal session.' }),
    added_at: z.iso.datetime(),
    signed_in_at: z.iso.datetime().nullable().meta({ description: 'The last time.' }),
  })
  .meta({ id: 'Member', examples: [EXAMPLE] });
export type Member = Frozen<z.output<typeof Member>>;

const MEMBERSHIP = {
  account_id: '6f1c2d3e-4b5a-4678-9abc-def012345678',
  name: 'Acme Analytics',
  role: 'viewer',
  current: true,
} as const;

/** An account that whoever is signed in may also open. */
export const Membership = z
  .strictObject({
    account_id: z.uuid(),
    name: z.string(),
    role: PortalRole,
    current: z.boolean(),
  })
  .meta({
    id: 'Membership',
    examples: [MEMBERSHIP],
  });
export type Membership = Frozen<z.output<typeof Membership>>;

export const SwitchAccount = z.strictObject({ account_id: z.uuid() }).meta({
  id: 'SwitchAccount',
  examples: [{ account_id: '6f1c2d3e-4b5a-4678-9abc-def012345678' }],
});
export type SwitchAccount = z.output<typeof SwitchAccount>;
