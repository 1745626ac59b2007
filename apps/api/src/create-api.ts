import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { FastifyRequest } from 'fastify';
import { forwardedRoutesOf } from '#rest/operation/forwarded-routes.js';
import { PUBLIC } from '#rest/operation/interfaces.js';
import { restModule } from '#rest/operation/rest-module.js';
import { routesOf } from '#rest/operation/routes.js';
import { jwksController } from '#rest/receipts/jwks.controller.js';
import { PUBLIC_RESOURCES } from '#rest/resources.js';
import { createHttpServer } from '#web/server/http-server.js';
import { accountOf, ApiKeyGuard, callerOf } from './callers/api-key.guard.js';
import { apiDocument } from './openapi/api-document.js';
import { freeServices, meteredServices, type ApiRuntime } from './services.js';

const { own, forwarded } = PUBLIC_RESOURCES;

/** The public API, initialised but not listening. Its metered resources are raw routes. */
export async function createApi(runtime: ApiRuntime): Promise<NestFastifyApplication> {
  const { calendar, configuration, forwarding, logger, readiness, receipts, telemetry } = runtime;
  const { baseUrl, trustProxy, corsOrigins, headersTimeoutMs, requestTimeoutMs } = configuration;
  const { authenticator, metered, prices, strangers } = meteredServices(runtime);
  const services = freeServices(runtime, { authenticator, prices });
  const guards = [new ApiKeyGuard(authenticator)];
  const settings = { services, calendar, accountOf, guards };
  const forwards = {
    forwarding,
    keyOf: (request: FastifyRequest) => callerOf(request).record,
    guards,
  };
  const module = restModule({
    controllers: [
      jwksController(receipts.signer),
      ...own.map((one) => routesOf(PUBLIC, one, settings)),
      ...forwarded.map((one) => forwardedRoutesOf(PUBLIC, one, forwards)),
    ],
    foundation: { baseUrl, readiness, document: () => apiDocument(baseUrl) },
    telemetry,
  });
  return createHttpServer(module, {
    baseUrl,
    trustProxy,
    corsOrigins,
    headersTimeoutMs,
    requestTimeoutMs,
    log: logger,
    strangers,
    isStranger: (request) => authenticator.isStranger(request),
    introduce: (request) => authenticator.introduce(request),
    raw: metered,
    telemetry,
  });
}
