import { REGIONS } from '#popularity/regions.js';
import { SOURCES } from '#popularity/sources.js';
import type { FastifyRequest } from 'fastify';
import type { Calendar } from '#calendar/calendar.js';
import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { Outcome } from '../operation/operation.js';
import type { SessionCookie } from '../sign-in/cookie.js';
import type { SignIns } from '../sign-in/sign-ins.js';
import type { Session } from './portal-session.js';
import type { SignedIn } from './portal-session.schemas.js';
import type { PortalSessions } from './portal-sessions.js';

/** Signing in to the portal with a link, and out. */
export class PortalAuthenticator {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly cookie: SessionCookie,
    private readonly signIns: SignIns,
    private readonly reads: AccountReads,
    private readonly calendar: Calendar,
    private readonly configuration: { readonly baseUrl: string },
  ) {}

  /** `token`: of a link. Throws a ProblemException that says why it opens nothing. */
  async signIn(request: FastifyRequest, token: string): Promise<Outcome<SignedIn>> {
    const { session, cookie } = await this.signIns.tried(request, 'portal', () =>
      this.sessions.redeem(token),
    );
    const { id, accountId } = session;
    this.signIns.note(request, 'signed-in', { door: 'portal', by: id, account_id: accountId });
    return { view: await this.show(session), cookie: this.cookie.set(cookie) };
  }

  async show({ id, accountId, role, memberEmail, expiresAt }: Session): Promise<SignedIn> {
    return {
      id,
      account: foundAccount(await this.reads.account(accountId)),
      role,
      member: memberEmail,
      expires_at: formatMoment(expiresAt),
      billing_time_zone: this.calendar.zone,
      regions: [...REGIONS],
      sources: [...SOURCES],
      base_url: this.configuration.baseUrl,
    };
  }

  async signOut({ id, accountId }: Session, change: Change): Promise<Outcome<null>> {
    const done = await this.sessions.revoke(accountId, id, {
      ...change,
      reason: 'Signed out.',
    });
    return { ...done, cookie: this.cookie.clear() };
  }
}
