import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { problem, ProblemException } from '#web/problem.js';
import { admitOperator } from '../accounts/operator.js';
import { AdminDoor } from './admin-door.js';
import type { Role } from './role.js';
import { rolesOf } from './route-roles.js';

const PROTECTED = '/admin/';

/**
 * Asks for the token, and for its role, before a body is read: a stranger is told nothing but that.
 * It goes by the route that was found, because an address can be written in many ways and a route
 * in one.
 */
@Injectable()
export class AdminDoorHook implements OnModuleInit {
  constructor(
    @Inject(AdminDoor) private readonly door: AdminDoor,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async (request) => this.check(request));
  }

  private async check(request: FastifyRequest): Promise<void> {
    const { url: route } = request.routeOptions;
    if (!route?.startsWith(PROTECTED)) return;
    const admission = await this.door.admit(authorizations(request.raw.rawHeaders));
    if (admission.outcome === 'refused') throw new ProblemException(admission.problem);
    refuseOtherRoles(admission.role, rolesOf(request.method, route));
    admitOperator(request, admission.tokenId);
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
