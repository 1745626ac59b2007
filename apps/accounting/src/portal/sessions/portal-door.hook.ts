import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { PORTAL } from '#rest/operation/interfaces.js';
import { permissionsOf } from '#rest/operation/permissions.js';
import { RESOURCES } from '#rest/resources.js';
import { problem, ProblemException } from '#web/problem.js';
import { Strangers } from '#web/rates/strangers.js';
import { readsFor } from '#web/whole-lists.js';
import { admitOperator } from '#rest/operation/operator.js';
import { SessionCookie } from '#rest/sign-in/cookie.js';
import { SignIns } from '#rest/sign-in/sign-ins.js';
import { mayChange, requireOwnPage } from '#rest/sign-in/own-site.js';
import { PORTAL_URL } from '#rest/catalog/ports.js';
import type { PortalSession } from '#rest/portal-sessions/portal-session.js';
import { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { notSignedIn } from '#rest/portal-sessions/refused-link.js';
import { SessionRates } from './session-rates.js';
import { admitSession, sessionOf } from '#rest/portal-sessions/signed-in.js';

const PROTECTED = '/portal/';
const SIGN_IN = 'POST /portal/v1/session';
/** A page opens it again and again by itself, whether anybody uses it or not. */
const EVENTS = '/portal/v1/events';
const END_SESSION = 'DELETE /portal/v1/sessions/:session_id';
/** What changes nothing of the account, whatever its method. */
const OPEN_TO_VIEWERS: ReadonlySet<string> = new Set([
  'DELETE /portal/v1/session',
  'POST /portal/v1/quotes',
]);

const permissionsAt = permissionsOf(PORTAL, RESOURCES);

/** Asks for the session, for a page of the portal's own and for the role, before a body is read. */
@Injectable()
export class PortalDoorHook implements OnModuleInit {
  constructor(
    @Inject(PortalSessions) private readonly sessions: PortalSessions,
    @Inject(SessionRates) private readonly rates: SessionRates,
    @Inject(Strangers) private readonly strangers: Strangers,
    @Inject(SignIns) private readonly signIns: SignIns,
    @Inject(SessionCookie) private readonly cookie: SessionCookie,
    @Inject(PORTAL_URL) private readonly portalUrl: string,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async (request, reply) => this.check(request, reply));
  }

  private async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url: route } = request.routeOptions;
    if (!route?.startsWith(PROTECTED)) return;
    const asked = `${request.method} ${route}`;
    const role = asked === SIGN_IN ? this.admitStranger(request) : await this.admit(request, reply);
    if (mayChange(request)) requireOwnPage(request, 'portal', this.portalUrl);
    if (role === 'viewer' && isForManagers(request, route) && !endsItself(request, asked)) {
      const { id, accountId } = sessionOf(request);
      const about = { door: 'portal', by: id, account_id: accountId, route } as const;
      this.signIns.note(request, 'role-denied', about);
      throw new ProblemException(problem('forbidden', 'This takes the role manager.'));
    }
  }

  private admitStranger(request: FastifyRequest): null {
    const refused = this.strangers.count(request.raw);
    if (refused !== null) throw new ProblemException(refused);
    return null;
  }

  private async admit(request: FastifyRequest, reply: FastifyReply): Promise<'viewer' | 'manager'> {
    const cookie = this.cookie.read(request);
    const session = cookie === undefined ? undefined : await this.find(cookie, request, reply);
    if (session === undefined) {
      this.admitStranger(request);
      throw notSignedIn();
    }
    admitSession(request, session);
    readsFor(request, session.accountId);
    // What the session changes is told to be its change.
    admitOperator(request, session.id);
    return session.role;
  }

  /** Throws a ProblemException (`rate-limited`) before the session is looked up. */
  private async find(
    cookie: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<PortalSession | undefined> {
    const isKnown = this.rates.isKnown(cookie);
    const refusal = isKnown ? null : this.strangers.refusal(request.raw);
    if (refusal !== null) throw new ProblemException(refusal);
    if (isKnown) this.rates.count(cookie, reply);
    const isUse = request.routeOptions.url !== EVENTS;
    const session = await this.sessions.find(cookie, isUse);
    if (session === undefined) this.rates.forget(cookie);
    else if (!isKnown) this.rates.count(cookie, reply);
    return session;
  }
}

/** By the permissions of its operation; what is no operation is for managers where it changes something. */
function isForManagers(request: FastifyRequest, route: string): boolean {
  const least = permissionsAt(request.method, route)?.session;
  if (least !== undefined) return least === 'manager';
  return mayChange(request) && !OPEN_TO_VIEWERS.has(`${request.method} ${route}`);
}

/** A viewer may end its own session, and no other. */
function endsItself(request: FastifyRequest, asked: string): boolean {
  if (asked !== END_SESSION) return false;
  const { session_id: sessionId } = request.params as { readonly session_id?: string };
  return sessionId === sessionOf(request).id;
}
