import type { FastifyReply, FastifyRequest } from 'fastify';
import { basePathOf } from '#web/configuration-urls.js';
import { FIRST_PAGE, ownPage, type Site } from '#web/own-page.js';
import { ProblemException } from '#web/problem.js';
import type { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { SessionCookie } from '../sign-in/cookie.js';
import type { SignIns } from '../sign-in/sign-ins.js';
import { SignInFailed, type IdentityProvider } from './identity-provider.js';
import type { Identity } from './identity.js';

/** The session that a person has got. */
export interface SignedInSession {
  /** The `Set-Cookie` of the session. */
  readonly cookie: string;
  /** Id of the operator or of the session, and the account of the latter. */
  readonly by: string;
  readonly accountId?: string;
}

export interface OidcAuthenticatorParts {
  readonly provider: IdentityProvider;
  /** Where browsers find this server. */
  readonly publicUrl: string;
  readonly door: Site;
  readonly strangers: Pick<AnonymousRates, 'count'>;
  readonly signIns: Pick<SignIns, 'note'>;
  /** Opens a session. Throws SignInFailed. */
  readonly enter: (request: FastifyRequest, identity: Identity) => Promise<SignedInSession>;
}

const OIDC_PATH = '/oidc';
const CALLBACK = `${OIDC_PATH}/callback`;
const ATTEMPT_S = 600;

/** Signing in with an account at the company's identity provider: a way there, and back. */
export class OidcAuthenticator {
  private readonly attempts: SessionCookie;

  constructor(private readonly parts: OidcAuthenticatorParts) {
    const { door, publicUrl } = parts;
    // It has to come with a redirect from another site.
    this.attempts = new SessionCookie(`popindex-${door}-oidc`, publicUrl, ATTEMPT_S, 'Lax');
  }

  /** Where a browser begins. */
  get signInPath(): string {
    return `${basePathOf(this.parts.publicUrl)}${OIDC_PATH}/sign-in`;
  }

  /** `returnTo`: the page to come back to. */
  async begin(request: FastifyRequest, reply: FastifyReply, returnTo?: string): Promise<void> {
    const { provider, publicUrl, door } = this.parts;
    await this.guarded(request, reply, async () => {
      const to = ownPage(door, returnTo);
      const { url, attempt } = await provider.begin(publicUrl + CALLBACK, to);
      return { url, cookies: [this.attempts.set(attempt)] };
    });
  }

  async finish(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { provider, publicUrl, signIns, door, enter } = this.parts;
    await this.guarded(request, reply, async () => {
      const query = new URL(request.url, publicUrl).search;
      const kept = this.attempts.read(request);
      const { identity, isPartial, returnTo } = await provider.finish(
        publicUrl + CALLBACK + query,
        kept,
      );
      const { cookie, by, accountId } = await enter(request, identity).catch((error: unknown) => {
        // What the provider has not said may be what lets the person in.
        const isLacking = isPartial && error instanceof SignInFailed;
        throw isLacking ? new SignInFailed('unavailable') : error;
      });
      signIns.note(request, 'signed-in', { door, by, ...(accountId && { account_id: accountId }) });
      return { url: ownPage(door, returnTo), cookies: [cookie, this.attempts.clear()] };
    });
  }

  /** Ends the session at the provider too, as far as it can be asked to. */
  async end(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { provider, publicUrl, door } = this.parts;
    const home = FIRST_PAGE[door];
    await this.guarded(request, reply, async () => {
      const url = (await provider.endUrl(publicUrl + home)) ?? home;
      return { url, cookies: [] };
    });
  }

  private async guarded(
    request: FastifyRequest,
    reply: FastifyReply,
    turn: () => Promise<{ readonly url: string; readonly cookies: readonly string[] }>,
  ): Promise<void> {
    const { strangers, signIns, door } = this.parts;
    const refused = strangers.count(request.raw);
    if (refused !== null) throw new ProblemException(refused);
    void reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer');
    try {
      const { url, cookies } = await turn();
      if (cookies.length > 0) void reply.header('set-cookie', [...cookies]);
      await reply.redirect(url, 302);
    } catch (error) {
      if (!(error instanceof SignInFailed)) throw error;
      signIns.note(request, 'sign-in-failed', { door });
      await reply.redirect(`${FIRST_PAGE[door]}?sign_in=${error.fault}`, 302);
    }
  }
}
