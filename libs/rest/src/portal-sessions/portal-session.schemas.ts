import { z } from 'zod';
import { Account } from '../accounts/account.schemas.js';
import type { Frozen } from '../operation/frozen.js';
import { reasonField } from '../operation/reason.js';

// Links that open the portal, and the sessions that they have opened.

const EXPIRES_IN_S = 900;
const EXPIRES_IN_S_MIN = 10;
const EXPIRES_IN_S_MAX = 7 * 86_400;
const TOKEN_LENGTH_MAX = 200;

const uuid = z.uuid();
const moment = z.iso.datetime();
export const PortalRole = z.enum(['viewer', 'manager']).meta({ id: 'PortalRole' });

/** A link to make. */
export const OpenPortalSession = z
  .strictObject({
    role: PortalRole.default('viewer').meta({
      description: 'A viewer looks; a manager changes budgets, keys and webhooks, and pulls.',
    }),
    expires_in: z
      .int()
      .min(EXPIRES_IN_S_MIN)
      .max(EXPIRES_IN_S_MAX)
      .default(EXPIRES_IN_S)
      .meta({ description: 'Seconds that the link works; the session it opens lasts 8 hours.' }),
    reason: reasonField,
  })
  .meta({ id: 'OpenPortalSession' });
export type OpenPortalSession = z.output<typeof OpenPortalSession>;

export const NewPortalSession = z
  .strictObject({
    id: uuid,
    url: z.string().optional().meta({
      description: 'Opens the portal once; shown this once: the answer to a retry is without it.',
    }),
    role: PortalRole,
    expires_at: moment.meta({ description: 'When the link stops working.' }),
  })
  .meta({ id: 'NewPortalSession' });
export type NewPortalSession = Frozen<z.output<typeof NewPortalSession>>;

const session = z.strictObject({
  id: uuid,
  role: PortalRole,
  member: z.string().nullable().meta({
    description: 'E-mail address of the member who has signed in; null where a link was opened.',
  }),
  status: z.enum(['unused', 'active', 'expired', 'revoked']).meta({ id: 'PortalSessionStatus' }),
  opened_at: moment,
  link_expires_at: moment,
  redeemed_at: moment.nullable(),
  used_at: moment.nullable().meta({ description: 'When it was last used, to the minute.' }),
  expires_at: moment.nullable().meta({
    description: 'Of the session that the link opened; 30 minutes without a request end it before.',
  }),
  revoked_at: moment.nullable(),
});

/** A link, and the session that it has opened, as operators see them. */
export const PortalSession = session
  .extend({
    opened_by: z.string().meta({ description: 'Id of an admin token; `owner`: ADMIN_TOKEN.' }),
  })
  .meta({ id: 'PortalSession' });
export type PortalSession = Frozen<z.output<typeof PortalSession>>;

/** The same for its own account, without the operator who made the link. */
export const OwnSession = session
  .extend({
    current: z.boolean().meta({ description: 'Whether this is the session of the request.' }),
  })
  .meta({ id: 'OwnSession' });
export type OwnSession = Frozen<z.output<typeof OwnSession>>;

/** The token of a link. */
export const SignIn = z
  .strictObject({
    token: z
      .string()
      .min(1)
      .max(TOKEN_LENGTH_MAX)
      .meta({ description: 'The token of a link, after `#token=`.' }),
  })
  .meta({ id: 'SignIn' });
export type SignIn = z.output<typeof SignIn>;

/** Who is signed in. */
export const SignedIn = z
  .strictObject({
    id: uuid,
    account: Account,
    role: PortalRole,
    member: z.string().nullable().meta({
      description: 'E-mail address of the member; null: a link was opened.',
    }),
    expires_at: moment,
    billing_time_zone: z.string(),
    regions: z.array(z.string()).meta({ description: 'Regions that calls can name.' }),
    sources: z.array(z.string()).meta({ description: 'Sources of volumes, by whom shares are.' }),
    base_url: z.string().meta({ description: 'Public address of the data API.' }),
  })
  .meta({ id: 'SignedIn' });
export type SignedIn = Frozen<z.output<typeof SignedIn>>;
