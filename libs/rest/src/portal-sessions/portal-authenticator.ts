import { Inject, Injectable } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { Calendar } from '#calendar/calendar.js';
import { formatMoment } from '#calendar/instant.js';
import type { Change } from '#deciding/changes/change.js';
import { foundAccount } from '#deciding/changes/known-account.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { Outcome } from '../operation/operation.js';
import { ACCOUNT_READS } from '../operation/ports.js';
import { SessionCookie } from '../sign-in/cookie.js';
import { SignIns } from '../sign-in/sign-ins.js';
import type { Session } from './portal-session.js';
import type { SignedIn } from './portal-session.schemas.js';
import { PortalSessions } from './portal-sessions.js';

export const PORTAL_CONFIGURATION = Symbol('portal configuration');

/** Signing in to the portal with a link, and out. */
@Injectable()
export class PortalAuthenticator {
  constructor(
    @Inject(PortalSessions) private readonly sessions: PortalSessions,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(SignIns) private readonly signIns: SignIns,
    @Inject(ACCOUNT_READS) private readonly reads: AccountReads,
    @Inject(Calendar) private readonly calendar: Calendar,
    @Inject(PORTAL_CONFIGURATION) private readonly configuration: { readonly baseUrl: string },
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
