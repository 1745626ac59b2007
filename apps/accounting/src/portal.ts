import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { PortalAuthenticationHook } from '#portal-backend/portal-authentication.hook.js';
import { portalDocument } from '#portal-backend/portal-document.js';
import { SessionRates } from '#portal-backend/session-rates.js';
import { WebFiles } from '#portal-backend/web-files.js';
import { isPortalPage } from '#portal-backend/web-pages.js';
import { Feed } from '#rest/feed/feed.js';
import { oidcController } from '#rest/oidc/oidc.controller.js';
import { PORTAL } from '#rest/operation/interfaces.js';
import { restModule } from '#rest/operation/rest-module.js';
import { routesOf } from '#rest/operation/routes.js';
import { accountOf } from '#rest/portal-sessions/signed-in.js';
import { resourcesOf } from '#rest/resources.js';
import { serve } from '#service/serve.js';
import { basePathOf, isSecure } from '#web/configuration-urls.js';
import { createHttpServer } from '#web/server/http-server.js';
import type { Shutdown } from '#web/shutdown.js';
import { WEB_FOLDER } from './admin.js';
import { portalServices } from './portal-services.js';
import type { AccountingRuntime, AccountingServices } from './services.js';

/** Serves the customers' portal on PORTAL_PORT until the shutdown. */
export async function startPortal(
  runtime: AccountingRuntime,
  services: AccountingServices,
  shutdown: Shutdown,
): Promise<void> {
  const { host, portalPort } = runtime.configuration;
  const app = await createPortal(runtime, services, WEB_FOLDER);
  await serve(app, 'PORTAL_PORT', host, portalPort, shutdown);
}

/**
 * The server of the customers' portal, initialised and not listening: one account, that of the
 * session, in every route. `webFolder`: of the built front end; it may be missing.
 */
export async function createPortal(
  runtime: AccountingRuntime,
  common: AccountingServices,
  webFolder: string,
): Promise<NestFastifyApplication> {
  const { calendar, configuration, logger, rates, readiness, telemetry } = runtime;
  const { baseUrl, portalUrl, trustProxy } = configuration;
  const services = portalServices(runtime, common);
  const { cookie, feed, portalSessions, signIns, strangers } = services;
  const settings = { services, calendar, accountOf, lagOf: services.lagOf };
  const controllers = resourcesOf(PORTAL).map((one) => routesOf(PORTAL, one, settings));
  const document = () => portalDocument(baseUrl, basePathOf(portalUrl) || '/');
  const module = restModule({
    controllers: [...controllers, oidcController(services.oidc)],
    foundation: { baseUrl, readiness, document },
    telemetry,
    // Nest stops it before the server waits for its connections.
    providers: [{ provide: Feed, useValue: feed }],
  });
  const sessionRates = new SessionRates(rates);
  return createHttpServer(module, {
    baseUrl,
    publicUrl: portalUrl,
    // Behind the proxy of the public API, also where PORTAL_URL is not set.
    isHttps: isSecure(portalUrl, baseUrl),
    log: logger,
    telemetry,
    trustProxy,
    strangers,
    authentication: new PortalAuthenticationHook(
      portalSessions,
      sessionRates,
      strangers,
      signIns,
      cookie,
      portalUrl,
    ),
    raw: new WebFiles(webFolder, isPortalPage, basePathOf(portalUrl)),
  });
}
