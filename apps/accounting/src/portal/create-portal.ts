import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpServer } from '#web/server/http-server.js';
import { basePathOf, isSecure } from '#web/configuration-urls.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import type { PortalDependencies } from './portal-dependencies.js';
import { PortalModule } from './portal.module.js';
import { WebFiles } from '#portal-backend/web-files.js';
import { isPortalPage } from '#portal-backend/web-pages.js';

/** The server of the customers' portal, initialised and not listening. */
export async function createPortal(
  dependencies: PortalDependencies,
): Promise<NestFastifyApplication> {
  const { configuration, rates, log, telemetry, webFolder } = dependencies;
  return createHttpServer(PortalModule.register(dependencies), {
    baseUrl: configuration.baseUrl,
    publicUrl: configuration.portalUrl,
    // Behind the proxy of the public API, also where PORTAL_URL is not set.
    isHttps: isSecure(configuration.portalUrl, configuration.baseUrl),
    log,
    telemetry,
    trustProxy: configuration.trustProxy,
    strangers: new AnonymousRates(rates, configuration.trustProxy),
    raw: new WebFiles(webFolder, isPortalPage, basePathOf(configuration.portalUrl)),
  });
}
