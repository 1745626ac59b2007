import { created, NOTHING, ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { SESSION_READ, STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import { PAGE } from '../operation/queries.js';
import { Reason } from '../operation/reason.js';
import { PortalAuthenticator } from './portal-authenticator.js';
import {
  NewPortalSession,
  OpenPortalSession,
  OwnSession,
  PortalSession,
  SignedIn,
  SignIn,
} from './portal-session.schemas.js';
import { PortalSessions } from './portal-sessions.js';
import { sessionOf } from './signed-in.js';

const ALL = '/accounts/{account_id}/portal-sessions';
const ENDS = 'Ends a link and the session that it has opened, at once';

const links = operationsOf<PortalSessions>('Portal');
const own = operationsOf<PortalSessions>('Session');
const signing = operationsOf<PortalAuthenticator>('Session');

const open = links.change({
  id: 'openPortalSession',
  method: 'post',
  path: ALL,
  summary: "Makes a link that opens the customer's portal once",
  description:
    'Its token stands in the fragment, which no browser sends. Whoever opens it is signed in for 8 ' +
    'hours, and at most 30 minutes without a request.',
  access: STAFF_CHANGE,
  body: OpenPortalSession,
  isBodyOptional: true,
  answer: created(NewPortalSession),
  isConditional: true,
  cli: {
    name: 'portal link',
    description: 'make a link that opens the portal once; it is shown this once',
    example: 'Acme --role manager',
    flags: { expires_in: '--expires-in <seconds>' },
  },
  run: (sessions, { path, change, body }) => sessions.open(path.account_id, change, body),
});

const list = links.read({
  id: 'listPortalSessions',
  path: ALL,
  summary: 'Links and sessions of an account, oldest first',
  description: 'With what became of each. Those that ended more than 90 days ago are absent.',
  access: STAFF_READ,
  query: PAGE,
  answer: page(PortalSession),
  cli: {
    name: 'portal list',
    description: 'links and sessions of an account, oldest first',
    example: 'Acme',
    columns: ['id', 'role', 'status', 'opened_by', 'opened_at', 'redeemed_at', 'expires_at'],
  },
  run: async (sessions, { path, query }) => ({ view: await sessions.page(path.account_id, query) }),
});

const revoke = links.change({
  id: 'revokePortalSession',
  method: 'delete',
  path: `${ALL}/{session_id}`,
  summary: ENDS,
  description: 'Open pages are notified within a second. Doing it again changes nothing.',
  access: STAFF_CHANGE,
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  isConditional: true,
  cli: {
    name: 'portal revoke',
    description: 'end a link and the session that it has opened, at once',
    example: 'Acme 0b7a… --reason "sent to the wrong address"',
    done: 'The session is over: it opens nothing any more.',
  },
  run: (sessions, { path, change }) => sessions.revoke(path.account_id, path.session_id, change),
});

const listOwn = own.read({
  id: 'listPortalSessions',
  path: '/accounts/{account_id}/sessions',
  summary: 'Links and sessions of the account, oldest first',
  description: '`current` is the session that asks. Those that ended 90 days ago are absent.',
  access: SESSION_READ,
  query: PAGE,
  answer: page(OwnSession),
  run: async (sessions, { path, query, request }) => ({
    view: await sessions.ownPage(path.account_id, query, sessionOf(request).id),
  }),
});

const end = own.change({
  id: 'revokePortalSession',
  method: 'delete',
  path: '/accounts/{account_id}/sessions/{session_id}',
  summary: ENDS,
  description: 'A manager ends any session of the account, a viewer its own.',
  access: { session: 'own' },
  body: Reason,
  isBodyOptional: true,
  answer: NOTHING,
  isConditional: true,
  run: (sessions, { path, change }) => sessions.revoke(path.account_id, path.session_id, change),
});

const signIn = signing.read({
  id: 'signIn',
  method: 'post',
  path: '/session',
  summary: 'Signs in with the token of a link, once',
  description: 'The session lasts 8 hours, and at most 30 minutes without a request.',
  access: { session: 'viewer', isOpen: true },
  body: SignIn,
  answer: ok(SignedIn, { setsCookie: true }),
  run: (door, { request, body }) => door.signIn(request, body.token),
});

const getSession = signing.read({
  id: 'getSession',
  path: '/session',
  summary: 'Who is signed in, and until when',
  description: 'Returns the session of the cookie with its account and role.',
  access: SESSION_READ,
  answer: ok(SignedIn),
  run: async (door, { request }) => ({ view: await door.show(sessionOf(request)) }),
});

const signOut = signing.change({
  id: 'signOut',
  method: 'delete',
  path: '/session',
  summary: 'Signs out; the session ends at once',
  description: 'Removes the cookie as well. Open event streams of the session end within a second.',
  access: SESSION_READ,
  answer: { ...NOTHING, setsCookie: true },
  isConditional: true,
  run: (door, { request, change }) => door.signOut(sessionOf(request), change),
});

/** Links that open the portal and who is signed in with one; signing in, and out. */
export const PORTAL_SESSIONS: readonly Resource[] = [
  { service: PortalSessions, operations: [open, list, revoke, listOwn, end] },
  { service: PortalAuthenticator, operations: [signIn, getSession, signOut] },
];
