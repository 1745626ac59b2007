import type { FastifyRequest } from 'fastify';
import type pg from 'pg';
import type { Clock } from '#calendar/clock.js';
import { momentOfMs } from '#database/moment-of.js';
import { ProblemException } from '#web/problem.js';
import type { Role } from '../operation/role.js';
import { SessionCookie } from '../sign-in/cookie.js';
import { newSecretToken, secretHash } from '../sign-in/secret-token.js';
import { isInUse, type SessionUses } from '../sign-in/session-uses.js';
import type { AdminAuthenticator, AdmittedOperator } from './admin-authenticator.js';

const COOKIE = 'popindex-console';
const COOKIE_PREFIX = 'pixcon_';
const SESSION_S = 8 * 3_600;

/** Of a token, or of an operator with the role of the sign-in. */
interface SessionRow {
  readonly token_hash: Buffer | null;
  readonly operator_id: string | null;
  readonly role: Role | null;
  readonly used_at: number;
}

const USED_AT = 'greatest(opened_at, used_at)';

/**
 * Operators that are signed in to the console: a cookie in place of the token. Whose token it is,
 * and that it still opens anything, is looked up for each request. Whoever has come by the identity
 * provider has the role of the sign-in until the session ends.
 */
export class ConsoleSessions {
  private readonly cookie: SessionCookie;

  /** `publicUrl`: where browsers find the admin REST, where that is known. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly uses: SessionUses,
    private readonly clock: Clock,
    private readonly door: Pick<AdminAuthenticator, 'admit' | 'admitHash'>,
    readonly publicUrl: string | null,
  ) {
    this.cookie = new SessionCookie(COOKIE, publicUrl, SESSION_S);
  }

  /** Signs in with a token; returns its holder and the `Set-Cookie`. Throws a ProblemException. */
  async open(
    token: string,
  ): Promise<{ readonly admitted: AdmittedOperator; readonly cookie: string }> {
    const admission = await this.door.admit([`Bearer ${token}`]);
    if (admission.outcome === 'refused') throw new ProblemException(admission.problem);
    const cookie = await this.keep(secretHash(token), null, null);
    return { admitted: admission, cookie };
  }

  /** Signs in an operator whom the identity provider knows; returns the `Set-Cookie`. */
  openFor(operatorId: string, role: Role): Promise<string> {
    return this.keep(null, operatorId, role);
  }

  private async keep(
    tokenHash: Buffer | null,
    operatorId: string | null,
    role: Role | null,
  ): Promise<string> {
    const { secret, hash } = newSecretToken(COOKIE_PREFIX);
    const now = this.clock.now();
    await this.pool.query(
      `with gone as (delete from console_session where not ${isInUse(USED_AT, '$3')})
       insert into console_session
         (cookie_hash, token_hash, opened_at, expires_at, operator_id, role)
       values ($1, $2, ${momentOfMs('$3')}, ${momentOfMs('$4')}, $5, $6)`,
      [hash, tokenHash, now, now + SESSION_S * 1_000, operatorId, role],
    );
    return this.cookie.set(secret);
  }

  /**
   * The holder of the request's cookie; undefined: it has no valid one. `isUse`: whether the
   * request keeps the session from being idle.
   */
  async find(request: FastifyRequest, isUse: boolean): Promise<AdmittedOperator | undefined> {
    const cookie = this.cookie.read(request);
    if (cookie?.startsWith(COOKIE_PREFIX) !== true) return undefined;
    const [hash, now] = [secretHash(cookie), this.clock.now()];
    const { rows } = await this.pool.query<SessionRow>({
      name: 'console-session',
      text: `select token_hash, operator_id, role,
                    (extract(epoch from ${USED_AT}) * 1000)::float8 as used_at
               from console_session where cookie_hash = $1 and ${isInUse(USED_AT, '$2')}`,
      values: [hash, now],
    });
    const [session] = rows;
    if (session === undefined) return undefined;
    if (isUse) await this.uses.note(hash, session.used_at, now);
    const { token_hash: tokenHash, operator_id: operatorId, role } = session;
    if (tokenHash !== null) return this.door.admitHash(tokenHash);
    if (operatorId === null || role === null) return undefined;
    return { outcome: 'admitted', tokenId: operatorId, role, isPerson: true };
  }

  /** Signs out, and answers the `Set-Cookie`; without a cookie there is nothing to do. */
  async close(request: FastifyRequest): Promise<string> {
    const cookie = this.cookie.read(request);
    if (cookie !== undefined) {
      const hash = secretHash(cookie);
      await this.pool.query('delete from console_session where cookie_hash = $1', [hash]);
    }
    return this.cookie.clear();
  }
}
