import { describeOperations } from '#rest/operation/document.js';
import { PORTAL } from '#rest/operation/interfaces.js';
import { RESOURCES } from '#rest/resources.js';
import { describeWebhooks } from '#rest/webhooks/notification-document.js';
import { foundationPaths, SERVICE_TAG } from '#web/foundation-paths.js';
import {
  LICENSE,
  type Header,
  type Operation,
  type OpenApiDocument,
  type PathItem,
} from '#web/openapi-document.js';
import type { ProblemSlug } from '#web/problem.js';
import { PAGE } from '#rest/operation/page-parameters.js';
import { changeOperation, readOperation, type Route } from '../../admin/openapi/operation.js';
import { componentSchemas } from '../../admin/openapi/schemas.js';
import { dataPaths } from './data-paths.js';

const DESCRIPTION = `What the pages of the customers' portal ask for: one account, that of the session.

A link signs in once; from then on a cookie comes with each request. Everything but reading needs the \
header \`X-Requested-With: portal\` and has to come from a page of the portal. A viewer may look; what \
changes something takes the role manager.

What is answered has the shapes of the public API and of the admin REST.`;

const OF_BODIES: readonly ProblemSlug[] = ['invalid-body', 'too-large', 'unsupported-media-type'];
const SET_COOKIE: Readonly<Record<string, Header>> = {
  'Set-Cookie': { description: 'HttpOnly and SameSite=Strict.', schema: { type: 'string' } },
};

const SIGN_IN: Route = {
  id: 'signIn',
  tag: 'Session',
  summary: 'Signs in with the token of a link, once',
  body: { schema: 'SignIn', required: true, example: { token: 'pixlink_0000' } },
  answer: { status: 200, schema: 'SignedIn' },
  headers: SET_COOKIE,
};

const SESSION: Route = {
  id: 'getSession',
  tag: 'Session',
  summary: 'Who is signed in, and until when',
  answer: { status: 200, schema: 'SignedIn' },
};

const SIGN_OUT: Route = {
  id: 'signOut',
  tag: 'Session',
  summary: 'Signs out; the session ends at once',
  answer: { status: 204 },
  headers: SET_COOKIE,
};

const SESSIONS: Route = {
  id: 'listSessions',
  tag: 'Session',
  summary: 'Links and sessions of the account, oldest first',
  query: PAGE,
  answer: { status: 200, schema: 'OwnSessionList' },
};

const END: Route = {
  id: 'endSession',
  tag: 'Session',
  summary: 'Ends a link and the session that it has opened, at once',
  description: 'A manager ends any session of the account, a viewer its own.',
  path: ['session_id'],
  body: { schema: 'Reason', required: false, example: { reason: 'A lost laptop.' } },
  answer: { status: 204 },
};

function sessionPaths(baseUrl: string): Record<string, PathItem> {
  const slugs: readonly ProblemSlug[] = [...OF_BODIES, 'conflict', 'outcome-unknown'];
  return {
    '/portal/v1/session': {
      post: readOperation(SIGN_IN, baseUrl, OF_BODIES),
      get: readOperation(SESSION, baseUrl),
      delete: readOperation(SIGN_OUT, baseUrl, [...slugs, 'precondition-failed']),
    },
    '/portal/v1/sessions': { get: readOperation(SESSIONS, baseUrl) },
    '/portal/v1/sessions/{session_id}': { delete: changeOperation(END, baseUrl) },
  };
}

/** Every operation asks for the session, but for the one that begins it. */
function withSession(paths: Record<string, PathItem>): Record<string, PathItem> {
  const secured = (operation: Operation): Operation => ({
    ...operation,
    security: operation.operationId === SIGN_IN.id ? [] : [{ portalSession: [] }],
  });
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, one]) => [method, secured(one)])),
    ]),
  );
}

/** The OpenAPI document of the customers' portal. `baseUrl`: where the pages of problems are. */
export function portalDocument(baseUrl: string): OpenApiDocument {
  const described = describeOperations(PORTAL, RESOURCES, baseUrl);
  const received = describeWebhooks(false);
  return {
    openapi: '3.1.1',
    info: {
      title: 'Popularity index: portal',
      version: '1.0.0',
      description: DESCRIPTION,
      license: LICENSE,
    },
    servers: [{ url: '/' }],
    tags: [
      { name: 'Session', description: 'Signing in and out.' },
      { name: 'Accounts', description: 'The account itself.' },
      { name: 'Usage', description: 'What was called, and what that cost.' },
      { name: 'Budgets', description: 'Limits on what is spent, and whom they tell.' },
      { name: 'API keys', description: 'What opens the data API.' },
      { name: 'Invoices', description: 'What was invoiced, and what would be now.' },
      { name: 'Statements', description: 'Months in credits.' },
      { name: 'Webhooks', description: 'Who is told of what happens, and what became of it.' },
      { name: 'Data', description: 'What can be asked for, and what is paid already.' },
      { name: 'Events', description: 'What happens, as it happens.' },
      SERVICE_TAG,
    ],
    paths: {
      ...withSession({
        ...sessionPaths(baseUrl),
        ...described.paths,
        ...dataPaths(baseUrl),
      }),
      ...foundationPaths(baseUrl),
    },
    webhooks: received.webhooks,
    components: {
      schemas: { ...componentSchemas(), ...described.schemas, ...received.schemas },
      securitySchemes: {
        portalSession: {
          type: 'apiKey',
          in: 'cookie',
          name: 'popindex-portal',
          description: 'The cookie of the session; behind https its name begins with `__Host-`.',
        },
      },
    },
  };
}
