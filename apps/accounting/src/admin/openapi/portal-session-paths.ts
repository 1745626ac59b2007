import type { Header, Operation, PathItem } from '#web/openapi-document.js';
import type { ProblemSlug } from '#web/problem.js';
import { changeOperation, readOperation, type Route } from './operation.js';
import { PAGE } from '#rest/operation/page-parameters.js';

const ALL = '/admin/v1/accounts/{account_id}/portal-sessions';
const SET_COOKIE: Readonly<Record<string, Header>> = {
  'Set-Cookie': {
    description:
      'HttpOnly and SameSite=Strict; a change with it needs `X-Requested-With: console`.',
    schema: { type: 'string' },
  },
};
const OF_BODIES: readonly ProblemSlug[] = ['invalid-body', 'too-large', 'unsupported-media-type'];

const OPEN: Route = {
  id: 'openPortalSession',
  tag: 'Portal',
  summary: "Makes a link that opens the customer's portal once",
  description:
    'Its token stands in the fragment, which no browser sends. Whoever opens it is signed in for 8 ' +
    'hours, and at most 30 minutes without a request.',
  path: ['account_id'],
  body: { schema: 'OpenPortalSession', required: false, example: { role: 'manager' } },
  answer: { status: 201, schema: 'NewPortalSession' },
};

const LIST: Route = {
  id: 'listPortalSessions',
  tag: 'Portal',
  summary: 'Links and sessions of an account, oldest first',
  path: ['account_id'],
  query: PAGE,
  answer: { status: 200, schema: 'PortalSessionList' },
};

const REVOKE: Route = {
  id: 'revokePortalSession',
  tag: 'Portal',
  summary: 'Ends a link and the session that it has opened, at once',
  description: 'Pages that are open are told within a second. Doing it again changes nothing.',
  path: ['account_id', 'session_id'],
  body: { schema: 'Reason', required: false, example: { reason: 'Sent to the wrong address.' } },
  answer: { status: 204 },
};

const SIGN_IN: Route = {
  id: 'signIn',
  tag: 'Safety',
  summary: 'Signs in to the console: a cookie in the place of the token, for 8 hours',
  description: '30 minutes without a request end it before.',
  body: { schema: 'ConsoleSignIn', required: true, example: { token: 'pixadm_0000' } },
  answer: { status: 200, schema: 'ConsoleSession' },
  headers: SET_COOKIE,
};

const WHO: Route = {
  id: 'getSession',
  tag: 'Safety',
  summary: 'Whose token or cookie the request has come with',
  answer: { status: 200, schema: 'ConsoleSession' },
};

const SIGN_OUT: Route = {
  id: 'signOut',
  tag: 'Safety',
  summary: 'Ends the session of the console that the cookie stands for',
  answer: { status: 204 },
  headers: SET_COOKIE,
};

/** Paths of the customers' links and of signing in to the console. */
export function portalSessionPaths(baseUrl: string): Record<string, PathItem> {
  const signIn: Operation = {
    ...readOperation(SIGN_IN, baseUrl, OF_BODIES),
    security: [],
  };
  return {
    [ALL]: { post: changeOperation(OPEN, baseUrl), get: readOperation(LIST, baseUrl) },
    [`${ALL}/{session_id}`]: { delete: changeOperation(REVOKE, baseUrl) },
    '/admin/v1/session': {
      post: signIn,
      get: readOperation(WHO, baseUrl),
      delete: readOperation(SIGN_OUT, baseUrl, OF_BODIES),
    },
  };
}
