import { Inject, Injectable } from '@nestjs/common';
import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { OIDC_DOOR } from './oidc.controller.js';
import { OIDC_PATH, type OidcDoor } from './oidc-door.js';

const SignInWays = z
  .strictObject({
    oidc: z
      .string()
      .nullable()
      .meta({
        description:
          'Where a browser signs in with the company account; `?return_to=` is the page to come ' +
          'back to. Null: not here.',
      }),
  })
  .meta({ id: 'SignInWays', examples: [{ oidc: `${OIDC_PATH}/sign-in` }] });

/** How people get in, beside links and tokens. */
@Injectable()
export class SignInWaysReads {
  constructor(@Inject(OIDC_DOOR) private readonly door: OidcDoor | null) {}

  ways(): Frozen<z.output<typeof SignInWays>> {
    return { oidc: this.door === null ? null : `${OIDC_PATH}/sign-in` };
  }
}

const { read } = operationsOf<SignInWaysReads>('Session');

const ways = read({
  id: 'getSignInWays',
  path: '/session/ways',
  summary: 'How to sign in, beside links and tokens',
  description: 'For whoever is not signed in yet.',
  may: { roles: [], session: 'viewer', isOpen: true },
  answer: ok(SignInWays),
  run: (reads) => ({ view: reads.ways() }),
});

export const SIGN_IN_WAYS: Resource = { service: SignInWaysReads, operations: [ways] };
