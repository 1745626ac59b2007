import { REGIONS } from '#popularity/regions.js';
import { SOURCES } from '#popularity/sources.js';
import type { FastifyRequest } from 'fastify';
import type { Calendar } from '#calendar/calendar.js';
import type { Outcome } from '../operation/operation.js';
import { OWNER } from '../operation/operator.js';
import type { ActorNames } from '../operators/actor-names.js';
import type { SignIns } from '../sign-in/sign-ins.js';
import type { AdmittedOperator } from './admin-authenticator.js';
import type { ConsoleSession } from './console-session.schemas.js';
import type { ConsoleSessions } from './console-sessions.js';

/** Signing in to the console with an admin token, and out. */
export class ConsoleAuthenticator {
  constructor(
    private readonly sessions: ConsoleSessions,
    private readonly actors: ActorNames,
    private readonly signIns: SignIns,
    private readonly calendar: Calendar,
    private readonly configuration: { readonly baseUrl: string },
  ) {}

  /** Throws a ProblemException for a token that opens nothing. */
  async signIn(request: FastifyRequest, token: string): Promise<Outcome<ConsoleSession>> {
    const { admitted, cookie } = await this.signIns.tried(request, 'console', () =>
      this.sessions.open(token),
    );
    this.signIns.note(request, 'signed-in', { door: 'console', by: admitted.tokenId });
    return { view: await this.show(admitted), cookie };
  }

  async show({ tokenId, role, isPerson = false }: AdmittedOperator): Promise<ConsoleSession> {
    const terms = {
      token_id: tokenId,
      role,
      has_company_account: isPerson,
      billing_time_zone: this.calendar.zone,
      regions: [...REGIONS],
      sources: [...SOURCES],
      base_url: this.configuration.baseUrl,
    };
    if (tokenId === OWNER) return { ...terms, name: 'ADMIN_TOKEN' };
    const names = await this.actors.names([tokenId]);
    return { ...terms, name: names.get(tokenId) ?? null };
  }

  async signOut(request: FastifyRequest): Promise<Outcome<null>> {
    return { view: null, cookie: await this.sessions.close(request) };
  }
}
