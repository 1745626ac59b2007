import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpServer } from '#web/server/http-server.js';
import type { ApiDependencies } from './api-dependencies.js';
import { wireApi } from './api-parts.js';
import { ApiModule } from './api.module.js';

/** The public API, initialised but not listening. */
export async function createApi(given: ApiDependencies): Promise<NestFastifyApplication> {
  const parts = wireApi(given);
  const { baseUrl, trustProxy, corsOrigins } = given.configuration;
  const { headersTimeoutMs, requestTimeoutMs } = given.configuration;
  return createHttpServer(ApiModule.register(given, parts), {
    baseUrl,
    trustProxy,
    corsOrigins,
    headersTimeoutMs,
    requestTimeoutMs,
    log: given.log,
    strangers: parts.strangers,
    isStranger: (request) => parts.authenticator.isStranger(request),
    introduce: (request) => parts.authenticator.introduce(request),
    raw: parts.routes,
    telemetry: given.telemetry,
  });
}
