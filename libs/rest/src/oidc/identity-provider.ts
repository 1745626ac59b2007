import * as oidc from 'openid-client';
import { z } from 'zod';
import type { OidcSettings } from '#web/configuration.js';
import type { Log } from '#web/log.js';

/** A person as the provider knows it. */
export interface Identity {
  readonly issuer: string;
  readonly subject: string;
  /** Null unless the provider has verified it. */
  readonly email: string | null;
  readonly name: string | null;
  /** Texts of the role claim. */
  readonly roles: readonly string[];
}

/** Why a sign-in came to nothing; pages have words for each. */
export type SignInFault = 'denied' | 'expired' | 'unavailable' | 'no-account' | 'no-role';

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

type Claims = Readonly<Record<string, unknown>>;

const SCOPE = 'openid email profile';
const TIMEOUT_S = 10;

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
  async finish(
    callback: string,
    kept: string | undefined,
  ): Promise<{ identity: Identity; returnTo: string }> {
    const attempt = decode(kept);
    if (attempt === undefined) throw new SignInFailed('expired');
    const provider = await this.discovered();
    try {
      const identity = await this.identityAt(provider, new URL(callback), attempt);
      return { identity, returnTo: attempt.returnTo };
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
  ): Promise<Identity> {
    const tokens = await oidc.authorizationCodeGrant(provider, callback, {
      expectedState: state,
      expectedNonce: nonce,
      pkceCodeVerifier: verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new SignInFailed('denied');
    const { userinfo_endpoint: userInfo } = provider.serverMetadata();
    const more =
      userInfo === undefined
        ? {}
        : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub);
    return identityOf(claims.iss, claims.sub, { ...more, ...claims }, this.settings.roleClaim);
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
      clientSecret === null ? oidc.None() : oidc.ClientSecretBasic(clientSecret),
      { timeout: TIMEOUT_S, ...(isPlain && { execute: [oidc.allowInsecureRequests] }) },
    );
  }
}

function faultOf(error: unknown): SignInFault {
  if (error instanceof SignInFailed) return error.fault;
  const isRefusal =
    error instanceof oidc.AuthorizationResponseError || error instanceof oidc.ResponseBodyError;
  return isRefusal ? 'denied' : 'expired';
}

function identityOf(issuer: string, subject: string, claims: Claims, roleClaim: string): Identity {
  const { email, email_verified: isVerified, name } = claims;
  return {
    issuer,
    subject,
    email: typeof email === 'string' && isVerified === true ? email : null,
    name: typeof name === 'string' ? name : null,
    roles: textsAt(claims, roleClaim),
  };
}

/** A claim of this very name, else the one that its dots lead to; one text or several. */
function textsAt(claims: Claims, path: string): readonly string[] {
  const found = path in claims ? claims[path] : path.split('.').reduce<unknown>(memberOf, claims);
  return [found].flat().filter((text) => typeof text === 'string');
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? (value as Claims)[name] : undefined;
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
