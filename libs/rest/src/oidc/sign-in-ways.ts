import { Inject, Injectable } from '@nestjs/common';
import { SIGN_IN_LINKS, type SignInLinks } from '#deliveries/sign-in-links.js';
import { OIDC_AUTHENTICATOR } from './oidc.controller.js';
import type { OidcAuthenticator } from './oidc-authenticator.js';
import type { SignInWays } from './sign-in-ways.schemas.js';

/** How people get in, beside links and tokens. */
@Injectable()
export class SignInWaysReads {
  constructor(
    @Inject(OIDC_AUTHENTICATOR) private readonly authenticator: OidcAuthenticator | null,
    @Inject(SIGN_IN_LINKS) private readonly links: SignInLinks | null,
  ) {}

  ways(): SignInWays {
    return {
      oidc: this.authenticator?.signInPath ?? null,
      email: this.links !== null,
    };
  }
}
