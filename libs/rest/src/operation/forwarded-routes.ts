import { type CanActivate, Controller, type Type, UseGuards } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { KeyRecord } from '#account/key-directory.js';
import type { Forwarding } from '#charging-link/forwarding.js';
import type { Interface } from './interfaces.js';
import type { Operation, Resource } from './operation.js';
import { type Serving, withRoutes } from './routes.js';

/** Headers that operations read. */
const READ_HEADERS = ['accept', 'content-type', 'idempotency-key', 'if-match'] as const;
/** Of the connection to whoever has answered, or the same in every answer of this server. */
const OWN_HEADERS: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'date',
  'keep-alive',
  'request-id',
]);

/** How the routes of an API process reach an accounting process, and for whom. */
export interface ForwardedRoutesSettings {
  readonly forwarding: Forwarding;
  readonly keyOf: (request: FastifyRequest) => KeyRecord;
  readonly guards: readonly CanActivate[];
}

/** A Nest controller whose routes have an accounting process answer for the caller's account. */
export function forwardedRoutesOf(
  to: Interface,
  { operations }: Resource,
  { forwarding, keyOf, guards }: ForwardedRoutesSettings,
): Type {
  @Controller(to.prefix.slice(1))
  @UseGuards(...guards)
  class ForwardedRoutes implements Serving {
    async serve(_: Operation, __: string, request: FastifyRequest, reply: FastifyReply) {
      const { accountId, keyId } = keyOf(request);
      const { status, headers, body } = await forwarding.forward({
        accountId,
        apiKeyId: keyId,
        requestId: request.id,
        method: request.method,
        target: request.originalUrl,
        headers: readHeaders(request),
        body: request.body === undefined ? null : JSON.stringify(request.body),
      });
      for (const [name, value] of Object.entries(headers)) {
        if (!OWN_HEADERS.has(name)) void reply.header(name, value);
      }
      await reply.code(status).send(body === '' ? undefined : body);
    }
  }
  return withRoutes(ForwardedRoutes, to, operations);
}

function readHeaders({ headers }: FastifyRequest): Readonly<Record<string, string>> {
  return Object.fromEntries(
    READ_HEADERS.flatMap((name) => {
      const value = headers[name];
      return value === undefined ? [] : [[name, String(value)] as const];
    }),
  );
}
