import { fileURLToPath } from 'node:url';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { AdminAuthenticationHook } from '#admin-backend/admin-authentication.hook.js';
import { adminDocument } from '#admin-backend/admin-document.js';
import { WebFiles } from '#portal-backend/web-files.js';
import { isConsolePage } from '#portal-backend/web-pages.js';
import { oidcController } from '#rest/oidc/oidc.controller.js';
import { ADMIN } from '#rest/operation/interfaces.js';
import { restModule } from '#rest/operation/rest-module.js';
import { routesOf } from '#rest/operation/routes.js';
import { resourcesOf } from '#rest/resources.js';
import { serve } from '#service/serve.js';
import { basePathOf, isSecure } from '#web/configuration-urls.js';
import { createHttpServer } from '#web/server/http-server.js';
import type { Shutdown } from '#web/shutdown.js';
import { adminServices } from './admin-services.js';
import type { AccountingRuntime, AccountingServices } from './services.js';

/** Where the build of the front end stands beside the build of the service. */
export const WEB_FOLDER = fileURLToPath(new URL('../../../portal', import.meta.url));

/** Serves the admin REST on ACCOUNTING_PORT until the shutdown. */
export async function startAdmin(
  runtime: AccountingRuntime,
  services: AccountingServices,
  shutdown: Shutdown,
): Promise<void> {
  const { host, accountingPort } = runtime.configuration;
  const app = await createAdmin(runtime, services, WEB_FOLDER);
  await serve(app, 'ACCOUNTING_PORT', host, accountingPort, shutdown);
}

/**
 * The server of the admin REST and of the console's pages, initialised and not listening.
 * `webFolder`: of the built front end; nothing is served where it is missing.
 */
export async function createAdmin(
  runtime: AccountingRuntime,
  common: AccountingServices,
  webFolder?: string,
): Promise<NestFastifyApplication> {
  const { calendar, configuration, logger, readiness, telemetry } = runtime;
  const { adminUrl, baseUrl, trustProxy } = configuration;
  const services = adminServices(runtime, common);
  const { lagOf, strangers } = services;
  const settings = { services, calendar, lagOf };
  const controllers = resourcesOf(ADMIN).map((one) => routesOf(ADMIN, one, settings));
  const document = () => adminDocument(baseUrl, basePathOf(adminUrl) || '/');
  const module = restModule({
    controllers: [...controllers, oidcController(services.oidc)],
    foundation: { baseUrl, home: '/console/', readiness, document },
    telemetry,
  });
  const { consoleSessions, door, signIns } = services;
  return createHttpServer(module, {
    baseUrl,
    publicUrl: adminUrl,
    isHttps: isSecure(adminUrl, baseUrl),
    log: logger,
    telemetry,
    trustProxy,
    strangers,
    authentication: new AdminAuthenticationHook(door, consoleSessions, strangers, signIns),
    ...(webFolder !== undefined && {
      raw: new WebFiles(webFolder, isConsolePage, basePathOf(adminUrl)),
    }),
  });
}
