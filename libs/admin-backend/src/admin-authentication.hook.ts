import type { FastifyInstance, FastifyRequest } from 'fastify';
import { admitToMetrics } from '#web/metrics-access.js';
import { problem, ProblemException } from '#web/problem.js';
import type { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { mayChange, requireOwnPage } from '#rest/sign-in/own-site.js';
import type { SignIns } from '#rest/sign-in/sign-ins.js';
import type { AdminAuthenticator } from '#rest/console-sessions/admin-authenticator.js';
import { admit, type AdmittedOperator } from '#rest/console-sessions/admin-authenticator.js';
import type { ConsoleSessions } from '#rest/console-sessions/console-sessions.js';
import type { Role } from '#rest/operation/role.js';
import { adminOperationAt, rolesOf } from './route-roles.js';

const PROTECTED = '/admin/';
const METRICS = '/metrics';

/**
 * Asks for the token, or for the cookie of the console, and for its role, before a body is read: a
 * stranger learns nothing but that. It goes by the route that was found, because an address can be
 * written in many ways and a route in one.
 */
export class AdminAuthenticationHook {
  constructor(
    private readonly door: AdminAuthenticator,
    private readonly console: ConsoleSessions,
    private readonly strangers: AnonymousRates,
    private readonly signIns: SignIns,
  ) {}

  addTo(fastify: FastifyInstance): void {
    fastify.addHook('onRequest', async (request) => this.check(request));
  }

  private async check(request: FastifyRequest): Promise<void> {
    const { url: route } = request.routeOptions;
    if (route === METRICS) return this.showMetrics(request);
    if (!route?.startsWith(PROTECTED)) return;
    if (adminOperationAt(request.method, route)?.access.isOpen === true) {
      const refused = this.strangers.count(request.raw);
      if (refused !== null) throw new ProblemException(refused);
      return;
    }
    const admission = await this.admit(request);
    const allowed = rolesOf(request.method, route);
    if (!allowed.includes(admission.role)) {
      this.signIns.note(request, 'role-denied', { door: 'admin', by: admission.tokenId, route });
    }
    refuseOtherRoles(admission.role, allowed);
    admit(request, admission);
  }

  /** A page of the console shows them: it reads them by itself, whether anybody uses it or not. */
  private async showMetrics(request: FastifyRequest): Promise<void> {
    if ((await this.console.find(request, false)) !== undefined) admitToMetrics(request.raw);
  }

  private async admit(request: FastifyRequest): Promise<AdmittedOperator> {
    const sent = authorizations(request.raw.rawHeaders);
    // A program that sends a token of its own is asked for no more than that.
    const signedIn = sent.length === 0 ? await this.console.find(request, true) : undefined;
    if (signedIn !== undefined) {
      if (mayChange(request)) requireOwnPage(request, 'console', this.console.publicUrl);
      return signedIn;
    }
    const admission = await this.door.admit(sent, request.headers);
    if (admission.outcome === 'refused') {
      // Whoever sends nothing tries nothing: a page asks whether its cookie still opens.
      if (sent.length > 0) this.signIns.note(request, 'sign-in-failed', { door: 'admin' });
      throw new ProblemException(this.strangers.count(request.raw) ?? admission.problem);
    }
    return admission;
  }
}

function refuseOtherRoles(role: Role, allowed: readonly Role[]): void {
  if (allowed.includes(role)) return;
  const detail = `This takes the role ${allowed.join(' or ')}; the token has the role ${role}.`;
  throw new ProblemException(problem('forbidden', detail));
}

/** Every `Authorization` as sent: Node keeps the first of several and forgets the others. */
function authorizations(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
}
