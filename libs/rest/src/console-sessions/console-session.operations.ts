import { NOTHING, ok } from '../operation/answer.js';
import { operationsOf, type Access, type Resource } from '../operation/operation.js';
import { admittedOf } from './admin-authenticator.js';
import { ConsoleSession, ConsoleSignIn } from './console-session.schemas.js';
import { ConsoleAuthenticator } from './console-authenticator.js';

const PATH = '/session';
/** Whoever is signed in may ask who that is, and leave. */
const EVERYBODY: Access = { roles: ['billing', 'support', 'data'] };

const { read, change } = operationsOf<ConsoleAuthenticator>('Safety');

const signIn = read({
  id: 'signIn',
  method: 'post',
  path: PATH,
  summary: 'Signs in to the console with an admin token; the cookie lasts 8 hours',
  description: 'The session ends after 8 hours, or after 30 minutes without a request.',
  access: { roles: [], isOpen: true },
  body: ConsoleSignIn,
  answer: ok(ConsoleSession, { setsCookie: true }),
  run: (door, { request, body }) => door.signIn(request, body.token),
});

const get = read({
  id: 'getSession',
  path: PATH,
  summary: 'The token or session of this request',
  description: 'Returns the role, which decides what else is allowed.',
  access: EVERYBODY,
  answer: ok(ConsoleSession),
  run: async (door, { request }) => ({ view: await door.show(admittedOf(request)) }),
});

const signOut = change({
  id: 'signOut',
  method: 'delete',
  path: PATH,
  summary: 'Ends the session of the console',
  description: 'Removes the cookie as well. The admin token stays valid.',
  access: EVERYBODY,
  answer: { ...NOTHING, setsCookie: true },
  run: (door, { request }) => door.signOut(request),
});

/** Signing in to the console with an admin token, and out. */
export const CONSOLE_SESSION: Resource = {
  service: ConsoleAuthenticator,
  operations: [signIn, get, signOut],
};
