import { type CanActivate, type ExecutionContext } from '@nestjs/common';
import { Reflector } from '@nestjs/core';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyRecord } from '#account/key-directory.js';
import type { AccountOf } from '#rest/operation/interfaces.js';
import { Serves } from '#rest/operation/routes.js';
import { ProblemException } from '#web/problem.js';
import type { RateState } from '#web/rates/rate-limits.js';
import { readsFor } from '#web/whole-lists.js';
import type { Authenticator } from './authenticator.js';
import { type Caller, forbidden } from './authenticator.js';

const callers = new WeakMap<FastifyRequest, Caller>();

/** The account whose key a request was admitted with. */
export const accountOf: AccountOf = (request) => callerOf(request).record.accountId;

/** The caller that the guard has admitted. */
export function callerOf(request: FastifyRequest): Caller {
  const caller = callers.get(request);
  if (caller === undefined) throw new Error('This route has no guard that admits callers.');
  return caller;
}

/** Opens the free resources to the holders of API keys. What it knows of them is never stale. */
export class ApiKeyGuard implements CanActivate {
  private readonly reflector = new Reflector();

  constructor(private readonly authenticator: Authenticator) {}

  async canActivate(context: ExecutionContext): Promise<boolean> {
    const request = context.switchToHttp().getRequest<FastifyRequest>();
    const reply = context.switchToHttp().getResponse<FastifyReply>();
    const operation = this.reflector.get(Serves, context.getHandler());
    const { access, requestsOf } = operation;
    const requests = requestsOf?.(request.body) ?? 1;
    // A query could be refused before anybody looks at the key.
    const fresh = operation.confirmsKey !== true || request.originalUrl.includes('?');
    const admission = await this.authenticator.admit(request.raw, fresh, requests);
    if (admission.outcome === 'refused') {
      if (admission.rate) setRateHeaders(reply, admission.rate);
      throw new ProblemException(admission.problem);
    }
    setRateHeaders(reply, admission.caller.rate);
    const refused = access.scope && forbidden(admission.caller.record, access.scope);
    if (refused) throw new ProblemException(refused);
    callers.set(request, admission.caller);
    readsFor(request, admission.caller.record.accountId);
    return true;
  }
}

/**
 * The key of a request as it was found, once what is remembered of it has admitted the request.
 * Throws a ProblemException where it opens nothing any more.
 */
export async function confirmKey(
  authenticator: Authenticator,
  request: FastifyRequest,
  found: KeyRecord | undefined,
): Promise<KeyRecord> {
  const confirmed = await authenticator.confirm(request.raw, found);
  if ('slug' in confirmed) throw new ProblemException(confirmed);
  return confirmed;
}

function setRateHeaders(reply: FastifyReply, rate: RateState): void {
  void reply.header('ratelimit-policy', rate.policy).header('ratelimit', rate.limit);
}
