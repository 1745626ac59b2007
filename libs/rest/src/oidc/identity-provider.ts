import * as oidc from 'openid-client';
import { z } from 'zod';
import type { OidcSettings } from '#web/configuration.js';
import type { Log } from '#web/log.js';
import { ClaimError, identityOf, lacksClaims, type Claims, type Identity } from './identity.js';

/** Why a sign-in came to nothing; pages have words for each. */
export type SignInFault =
  'denied' | 'expired' | 'unavailable' | 'unusable' | 'no-account' | 'no-role';

export class SignInFailed extends Error {
  override readonly name = 'SignInFailed';
  constructor(readonly fault: SignInFault) {
    super(`The sign-in came to nothing: ${fault}.`);
  }
}

/** The state of a sign-in that a browser keeps until it is back from the provider. */
const Attempt = z.strictObject({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  returnTo: z.string(),
});
type Attempt = z.output<typeof Attempt>;

/** Somebody who has come back from the provider. */
export interface ReturnedPerson {
  readonly identity: Identity;
  /** Whether the provider has not said all that it could of the person. */
  readonly isPartial: boolean;
  /** The page to come back to. */
  readonly returnTo: string;
}

const SCOPE = 'openid email profile';
const TIMEOUT_S = 10;
/** Clocks differ; the library allows the same. */
const CLOCK_TOLERANCE_S = 30;

/** Authorization code flow with PKCE (OpenID Connect Core 1.0, 3.1; RFC 7636). */
export class IdentityProvider {
  private found: Promise<oidc.Configuration> | undefined;

  constructor(
    private readonly settings: OidcSettings,
    private readonly log: Pick<Log, 'warn'>,
  ) {}

  /** Where the browser goes, and what it keeps until it is back. Throws SignInFailed. */
  async begin(callback: string, returnTo: string): Promise<{ url: string; attempt: string }> {
    const provider = await this.discovered();
    const attempt: Attempt = {
      state: oidc.randomState(),
      nonce: oidc.randomNonce(),
      verifier: oidc.randomPKCECodeVerifier(),
      returnTo,
    };
    const url = oidc.buildAuthorizationUrl(provider, {
      redirect_uri: callback,
      scope: SCOPE,
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
      code_challenge_method: 'S256',
    });
    return { url: url.href, attempt: encode(attempt) };
  }

  /** Who has come back, and where to. `callback`: with the query as sent. Throws SignInFailed. */
  async finish(callback: string, kept: string | undefined): Promise<ReturnedPerson> {
    const url = new URL(callback);
    const attempt = decode(kept);
    // Of another browser, of another attempt, or of nobody's.
    if (attempt === undefined || url.searchParams.get('state') !== attempt.state) {
      throw new SignInFailed('expired');
    }
    // Read again, with the provider's keys: it may have replaced them at any time.
    this.found = undefined;
    const provider = await this.discovered();
    try {
      const found = await this.identityAt(provider, url, attempt);
      return { ...found, returnTo: attempt.returnTo };
    } catch (error) {
      this.log.warn({ err: error }, 'A sign-in by the identity provider came to nothing.');
      throw new SignInFailed(faultOf(error));
    }
  }

  /** Where the provider ends its own session; null: it has no such place, or is away. */
  async endUrl(after: string): Promise<string | null> {
    const provider = await this.discovered().catch(() => undefined);
    if (provider?.serverMetadata().end_session_endpoint === undefined) return null;
    const parameters = { post_logout_redirect_uri: after };
    return oidc.buildEndSessionUrl(provider, parameters).href;
  }

  private async identityAt(
    provider: oidc.Configuration,
    callback: URL,
    { state, nonce, verifier }: Attempt,
  ): Promise<Omit<ReturnedPerson, 'returnTo'>> {
    const tokens = await oidc.authorizationCodeGrant(provider, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new SignInFailed('denied');
    if (claims.iat > Date.now() / 1_000 + CLOCK_TOLERANCE_S) {
      throw new ClaimError('The ID token is of a time to come.');
    }
    const hasUserInfo = provider.serverMetadata().userinfo_endpoint !== undefined;
    if (!hasUserInfo || !lacksClaims(claims, this.settings)) {
      return { identity: identityOf(claims, {}, this.settings), isPartial: false };
    }
    const more = await this.userInfo(provider, tokens.access_token, claims.sub);
    const identity = identityOf(claims, more ?? {}, this.settings);
    return { identity, isPartial: more === undefined };
  }

  /** Undefined: the provider did not answer. Throws if it answers for somebody else. */
  private async userInfo(
    provider: oidc.Configuration,
    token: string,
    subject: string,
  ): Promise<Claims | undefined> {
    try {
      return await oidc.fetchUserInfo(provider, token, subject);
    } catch (error) {
      if (codeOf(error) === 'OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED') throw error;
      this.log.warn({ err: error }, 'The identity provider gives no further claims.');
      return undefined;
    }
  }

  /** Looked up at the first sign-in, and again after a failure: it may start after this service. */
  private async discovered(): Promise<oidc.Configuration> {
    this.found ??= this.discover();
    try {
      return await this.found;
    } catch (error) {
      this.found = undefined;
      this.log.warn({ err: error }, 'The identity provider does not answer.');
      throw new SignInFailed('unavailable');
    }
  }

  private async discover(): Promise<oidc.Configuration> {
    const { issuer, clientId, clientSecret } = this.settings;
    const server = new URL(issuer);
    const isPlain = server.protocol === 'http:';
    return oidc.discovery(
      server,
      clientId,
      undefined,
      clientSecret === null ? oidc.None() : secretAuth(clientSecret),
      {
        timeout: TIMEOUT_S,
        // Signatures count: a token is as good as the key that signed it, whoever has sent it.
        execute: [
          oidc.enableNonRepudiationChecks,
          ...(isPlain ? [oidc.allowInsecureRequests] : []),
        ],
      },
    );
  }
}

/** The secret as the provider takes it: in a header, or in the body where it lists only that. */
function secretAuth(secret: string): oidc.ClientAuth {
  const [basic, post] = [oidc.ClientSecretBasic(secret), oidc.ClientSecretPost(secret)];
  return (server, ...rest) => {
    const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
    const isPost =
      methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
    (isPost ? post : basic)(server, ...rest);
  };
}

const AWAY = new Set([
  'OAUTH_TIMEOUT',
  'OAUTH_ABORT',
  'OAUTH_RESPONSE_IS_NOT_CONFORM',
  'OAUTH_RESPONSE_IS_NOT_JSON',
]);
/** Errors of RFC 6749 and OpenID Connect Core that say no to the person, not to this service. */
const DENIED = new Set([
  'access_denied',
  'account_selection_required',
  'consent_required',
  'interaction_required',
  'invalid_grant',
  'login_required',
]);
const AWAY_ERRORS = new Set(['server_error', 'temporarily_unavailable']);

function faultOf(error: unknown): SignInFault {
  if (error instanceof SignInFailed) return error.fault;
  if (error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError) {
    if (DENIED.has(error.error)) return 'denied';
    return AWAY_ERRORS.has(error.error) ? 'unavailable' : 'unusable';
  }
  // What `fetch` throws where there is no connection.
  const isAway = error instanceof TypeError || AWAY.has(codeOf(error));
  return isAway ? 'unavailable' : 'unusable';
}

function codeOf(error: unknown): string {
  return error instanceof oidc.ClientError ? (error.code ?? '') : '';
}

function encode(attempt: Attempt): string {
  return Buffer.from(JSON.stringify(attempt)).toString('base64url');
}

function decode(kept: string | undefined): Attempt | undefined {
  if (kept === undefined) return undefined;
  try {
    return Attempt.safeParse(JSON.parse(Buffer.from(kept, 'base64url').toString())).data;
  } catch {
    return undefined;
  }
}
