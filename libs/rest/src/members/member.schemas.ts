import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';
import { PortalRole } from '../portal-sessions/portal-session.schemas.js';

const EMAIL_LENGTH_MAX = 254;

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
  .meta({ id: 'AddMember' });
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
  .meta({ id: 'RequestSignInLink' });
export type RequestLink = z.output<typeof RequestLink>;

/** The token of a mailed link. */
export const UseLink = z
  .strictObject({
    token: z.string().min(1).max(TOKEN_LENGTH_MAX).meta({
      description: 'What stands behind `#sign-in=` in the link.',
    }),
  })
  .meta({ id: 'UseSignInLink' });
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
  .meta({ id: 'Member' });
export type Member = Frozen<z.output<typeof Member>>;

/** A member who was added, and how the person comes to know it. */
export const AddedMember = Member.extend({
  invitation: z.strictObject({
    way: z.enum(['mail', 'link', 'company-account', 'none']).meta({
      description:
        '`mail`: a link is mailed to the address. `link`: this service sends no mail; pass `url` on. ' +
        '`company-account`: no mail is sent; the person signs in with the company account. `none`: no ' +
        'mail is sent, because the person has signed in before or the address had 3 links in 15 minutes.',
    }),
    url: z.url().optional().meta({
      description: 'Signs in to this account once. Absent where a request is repeated.',
    }),
    expires_at: z.iso.datetime().nullable().meta({ description: 'When the link expires.' }),
  }),
}).meta({ id: 'AddedMember' });
export type AddedMember = Frozen<z.output<typeof AddedMember>>;

/** An account that whoever is signed in may also open. */
export const Membership = z
  .strictObject({
    account_id: z.uuid(),
    name: z.string(),
    role: PortalRole,
    current: z.boolean(),
  })
  .meta({ id: 'Membership' });
export type Membership = Frozen<z.output<typeof Membership>>;

export const SwitchAccount = z.strictObject({ account_id: z.uuid() }).meta({ id: 'SwitchAccount' });
export type SwitchAccount = z.output<typeof SwitchAccount>;
