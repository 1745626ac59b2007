import { Inject, Injectable, type OnModuleInit } from '@nestjs/common';
import { HttpAdapterHost } from '@nestjs/core';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ProblemException } from '#web/problem.js';
import { admitOperator } from '../accounts/operator.js';
import { AdminToken } from './admin-token.js';

const PROTECTED = '/admin/';

/**
 * Asks for the token before a body is read: a stranger is told nothing but that. It goes by the
 * route that was found, because an address can be written in many ways and a route in one.
 */
@Injectable()
export class AdminTokenHook implements OnModuleInit {
  constructor(
    @Inject(AdminToken) private readonly token: AdminToken,
    @Inject(HttpAdapterHost) private readonly host: HttpAdapterHost,
  ) {}

  onModuleInit(): void {
    const fastify = this.host.httpAdapter.getInstance<FastifyInstance>();
    fastify.addHook('onRequest', async (request) => this.check(request));
  }

  private check(request: FastifyRequest): void {
    if (!request.routeOptions.url?.startsWith(PROTECTED)) return;
    const admission = this.token.admit(authorizations(request.raw.rawHeaders));
    if (admission.outcome === 'refused') throw new ProblemException(admission.problem);
    admitOperator(request, admission.tokenId);
  }
}

/** Every `Authorization` as sent: Node keeps the first of several and forgets the others. */
function authorizations(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
}
