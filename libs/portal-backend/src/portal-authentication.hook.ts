import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { PortalRole } from '#account/terms.js';
import { LISTEN } from '#rest/feed/feed.operations.js';
import { PORTAL } from '#rest/operation/interfaces.js';
import type { Operation } from '#rest/operation/operation.js';
import { operationAt } from '#rest/operation/permissions.js';
import { RESOURCES } from '#rest/resources.js';
import { problem, ProblemException } from '#web/problem.js';
import type { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { readsFor } from '#web/whole-lists.js';
import { admitOperator } from '#rest/operation/operator.js';
import type { SessionCookie } from '#rest/sign-in/cookie.js';
import type { SignIns } from '#rest/sign-in/sign-ins.js';
import { mayChange, requireOwnPage } from '#rest/sign-in/own-site.js';
import type { Session } from '#rest/portal-sessions/portal-session.js';
import type { PortalSessions } from '#rest/portal-sessions/portal-sessions.js';
import { notSignedIn } from '#rest/portal-sessions/refused-link.js';
import type { SessionRates } from './session-rates.js';
import { admitSession, sessionOf } from '#rest/portal-sessions/signed-in.js';

const PROTECTED = '/portal/';

const portalOperationAt = operationAt(PORTAL, RESOURCES);

/** Asks for the session, for a page of the portal's own and for the role, before a body is read. */
export class PortalAuthenticationHook {
  constructor(
    private readonly sessions: PortalSessions,
    private readonly rates: SessionRates,
    private readonly strangers: AnonymousRates,
    private readonly signIns: SignIns,
    private readonly cookie: SessionCookie,
    private readonly portalUrl: string,
  ) {}

  addTo(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', async (request, reply) => this.check(request, reply));
    fastify.addHook('preHandler', async (request, reply) => this.countBody(request, reply));
  }

  /** Counts the further requests that a body stands for. */
  private async countBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url: route } = request.routeOptions;
    if (!route?.startsWith(PROTECTED)) return;
    const more = (portalOperationAt(request.method, route)?.requestsOf?.(request.body) ?? 1) - 1;
    const cookie = this.cookie.read(request);
    if (more > 0 && cookie !== undefined) this.rates.count(cookie, reply, more);
  }

  private async check(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const { url: route } = request.routeOptions;
    if (!route?.startsWith(PROTECTED)) return;
    const operation = portalOperationAt(request.method, route);
    const role =
      operation?.access.isOpen === true
        ? this.admitStranger(request)
        : await this.admit(request, reply, operation !== LISTEN);
    if (mayChange(request)) requireOwnPage(request, 'portal', this.portalUrl);
    if (role === 'viewer' && !isForViewers(request, operation)) {
      const { id, accountId } = sessionOf(request);
      const about = { door: 'portal', by: id, account_id: accountId, route } as const;
      this.signIns.note(request, 'role-denied', about);
      const detail = 'This takes the role manager; the session has the role viewer.';
      throw new ProblemException(problem('forbidden', detail));
    }
  }

  private admitStranger(request: FastifyRequest): null {
    const refused = this.strangers.count(request.raw);
    if (refused !== null) throw new ProblemException(refused);
    return null;
  }

  /** `isUse`: whether the request keeps the session from being idle. */
  private async admit(
    request: FastifyRequest,
    reply: FastifyReply,
    isUse: boolean,
  ): Promise<PortalRole> {
    const cookie = this.cookie.read(request);
    const session =
      cookie === undefined ? undefined : await this.find(cookie, request, reply, isUse);
    if (session === undefined) {
      this.admitStranger(request);
      throw notSignedIn();
    }
    admitSession(request, session);
    readsFor(request, session.accountId);
    // Changes by the session are recorded as its changes.
    admitOperator(request, session.id);
    return session.role;
  }

  /** Throws a ProblemException (`rate-limited`) before the session is looked up. */
  private async find(
    cookie: string,
    request: FastifyRequest,
    reply: FastifyReply,
    isUse: boolean,
  ): Promise<Session | undefined> {
    const isKnown = this.rates.isKnown(cookie);
    const refusal = isKnown ? null : this.strangers.refusal(request.raw);
    if (refusal !== null) throw new ProblemException(refusal);
    if (isKnown) this.rates.count(cookie, reply);
    const session = await this.sessions.find(cookie, isUse);
    if (session === undefined) this.rates.forget(cookie);
    else if (!isKnown) this.rates.count(cookie, reply);
    return session;
  }
}

/** A viewer may end its own session, and no other. */
function isForViewers(request: FastifyRequest, operation: Operation | undefined): boolean {
  const least = operation?.access.session;
  if (least !== 'own') return least === 'viewer';
  const { session_id: sessionId } = request.params as { readonly session_id?: string };
  return sessionId === sessionOf(request).id;
}
