import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problem, ProblemException } from '#web/problem.js';
import { admitOperator } from '../../accounts/operator.js';
import { SessionCookie } from '../../sign-in/cookie.js';
import { mayChange, requireOwnPage } from '../../sign-in/own-site.js';
import { PORTAL_URL } from '../ports.js';
import { PortalSessions } from './portal-sessions.js';
import { notSignedIn } from './refused-link.js';
import { admitSession } from './signed-in.js';

const PROTECTED = '/portal/';
const SIGN_IN = 'POST /portal/v1/session';
/** What changes nothing of the account, whatever its method. */
const OPEN_TO_VIEWERS: ReadonlySet<string> = new Set([
  'DELETE /portal/v1/session',
  'POST /portal/v1/quotes',
]);

/** Asks for the session, for a page of the portal's own and for the role, before a body is read. */
@Injectable()
export class PortalDoorHook implements OnModuleInit {
  constructor(
    @Inject(PortalSessions) private readonly sessions: PortalSessions,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(PORTAL_URL) private readonly portalUrl: string,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async (request) => this.check(request));
  }

  private async check(request: FastifyRequest): Promise<void> {
    const { url: route } = request.routeOptions;
    if (!route?.startsWith(PROTECTED)) return;
    const asked = `${request.method} ${route}`;
    const role = asked === SIGN_IN ? null : await this.admit(request);
    if (!mayChange(request)) return;
    requireOwnPage(request, 'portal', this.portalUrl);
    if (role === 'viewer' && !OPEN_TO_VIEWERS.has(asked)) {
      throw new ProblemException(problem('forbidden', 'This takes the role manager.'));
    }
  }

  private async admit(request: FastifyRequest): Promise<'viewer' | 'manager'> {
    const cookie = this.cookie.read(request);
    const session = cookie === undefined ? undefined : await this.sessions.find(cookie);
    if (session === undefined) throw notSignedIn();
    admitSession(request, session);
    // What the session changes is told to be its change.
    admitOperator(request, session.id);
    return session.role;
  }
}
