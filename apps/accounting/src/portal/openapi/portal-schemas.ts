import { z } from 'zod';
import { LEVELS, LIMITS, REGIONS, SERIES_TYPES } from '#rating/resource.js';
import { Account } from '#rest/accounts/account.schemas.js';
import { consoleSignInBody } from '../../admin-tokens/console-session.controller.js';
import { ROLES } from '#rest/operation/role.js';
import { pullBody } from '#rest/pulls/pulls.js';
import { openPortalSessionBody } from '../sessions/open-portal-session.body.js';
import { SESSION_STATUSES } from '#rest/portal-sessions/portal-session.js';
import { signInBody } from '../sessions/session.controller.js';

// What is sent to the portal, and what it answers beside what the admin REST answers too.

const uuid = z.uuid();
const moment = z.iso.datetime();
const credits = z.int();
const label = z.string().regex(/^\d{4}w\d{2}$/);
const role = z.enum(['viewer', 'manager']);

const quoted = z.strictObject({
  url: z.string(),
  key: z.string(),
  kind: z.enum(['base', 'repeat']),
  call_cost: credits,
  data_cost: credits,
  credits,
  rule: z.string(),
  window: label,
  window_ends_at: moment,
  next_window_credits: credits,
  problem: z.record(z.string(), z.unknown()).nullable(),
});

const category = z.strictObject({
  id: uuid,
  level: z.enum(LEVELS),
  label: z.string(),
  slug: z.string(),
  parent_id: uuid.nullable(),
  life_cycle: z.string().nullable(),
});

const sessionMembers = {
  id: uuid,
  role,
  status: z.enum(SESSION_STATUSES),
  opened_at: moment,
  link_expires_at: moment,
  redeemed_at: moment.nullable(),
  used_at: moment.nullable().meta({ description: 'When it was last used, to the minute.' }),
  expires_at: moment.nullable().meta({
    description: 'Of the session that the link opened; 30 minutes without a request end it before.',
  }),
  revoked_at: moment.nullable(),
};

/** Schemas of bodies by the name that the documents give them. */
export const PORTAL_BODIES = {
  OpenPortalSession: openPortalSessionBody,
  ConsoleSignIn: consoleSignInBody,
  SignIn: signInBody,
  Pull: pullBody,
  QuoteRequest: z.strictObject({ urls: z.array(z.string()).min(1).max(1000) }),
} as const;

/** Schemas of answers by the name that the documents give them. */
export const PORTAL_ANSWERS = {
  PortalSession: z.strictObject({
    ...sessionMembers,
    opened_by: z.string().meta({ description: 'Id of an admin token; `owner`: ADMIN_TOKEN.' }),
  }),
  OwnSession: z.strictObject({
    ...sessionMembers,
    current: z.boolean().meta({ description: 'The session that asks.' }),
  }),
  NewPortalSession: z.strictObject({
    id: uuid,
    url: z.string().optional().meta({
      description: 'Opens the portal once; shown this once: the answer to a retry is without it.',
    }),
    role,
    expires_at: moment.meta({ description: 'When the link stops working.' }),
  }),
  ConsoleSession: z.strictObject({
    token_id: z.string().meta({ description: '`owner`: ADMIN_TOKEN.' }),
    name: z.string().nullable(),
    role: z.enum(ROLES),
    billing_time_zone: z.string(),
  }),
  SignedIn: z.strictObject({
    id: uuid,
    account: Account,
    role,
    expires_at: moment,
    billing_time_zone: z.string(),
    base_url: z.string().meta({ description: 'Public address of the data API.' }),
  }),
  Pulled: z.strictObject({
    status: z.literal(200),
    call_id: uuid,
    headers: z.record(z.string(), z.string()).meta({ description: 'As the API has sent them.' }),
    body: z.record(z.string(), z.unknown()).meta({ description: 'The whole answer of the API.' }),
  }),
  Quoted: z.strictObject({
    items: z.array(
      z.union([quoted, z.strictObject({ url: z.string(), problem: quoted.shape.problem })]),
    ),
    next: z.null(),
    total_credits: credits,
    affordable: z.boolean(),
  }),
  View: z.strictObject({
    key: z.string(),
    window: label,
    release: z.string(),
    through: z.string(),
    unchanged_since: label,
    data: z.record(z.string(), z.unknown()).meta({ description: 'As in the answer of the API.' }),
  }),
  Catalog: z.strictObject({
    release: z.string(),
    through: z.string(),
    levels: z.array(z.enum(LEVELS)),
    limits: z.array(z.enum(LIMITS)),
    regions: z.array(z.enum(REGIONS)),
    types: z.array(z.enum(SERIES_TYPES)),
    groups: z.array(z.string()),
    categories: z.array(category).meta({ description: 'Each behind the one above it.' }),
  }),
  Brand: z.strictObject({ id: uuid, label: z.string() }),
} as const;
