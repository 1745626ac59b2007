import { type SignInLinks } from '#deliveries/sign-in-links.js';
import type { OidcAuthenticator } from './oidc-authenticator.js';
import type { SignInWays } from './sign-in-ways.schemas.js';

/** How people get in, beside links and tokens. */
export class SignInWaysReads {
  constructor(
    private readonly authenticator: OidcAuthenticator | null,
    private readonly links: Pick<SignInLinks, 'canMail'>,
  ) {}

  ways(): SignInWays {
    return {
      oidc: this.authenticator?.signInPath ?? null,
      email: this.links.canMail,
    };
  }
}
