import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { SignInWays } from './sign-in-ways.schemas.js';
import { SignInWaysReads } from './sign-in-ways.js';

const { read } = operationsOf<SignInWaysReads>('Session');

const ways = read({
  id: 'getSignInWays',
  path: '/session/ways',
  summary: 'How to sign in, beside links and tokens',
  description: 'For whoever is not signed in yet.',
  access: { roles: [], session: 'viewer', isOpen: true },
  answer: ok(SignInWays),
  run: (reads) => ({ view: reads.ways() }),
});

/** How to sign in, for whoever is not signed in yet. */
export const SIGN_IN_WAYS: Resource = { service: SignInWaysReads, operations: [ways] };
