import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpServer } from '#web/server/http-server.js';
import { basePathOf, isSecure } from '#web/configuration-urls.js';
import { AnonymousRates } from '#web/rates/anonymous-rates.js';
import { WebFiles } from '#portal-backend/web-files.js';
import { isConsolePage } from '#portal-backend/web-pages.js';
import type { AdminDependencies } from './admin-dependencies.js';
import { AdminModule } from './admin.module.js';

/** The server of the admin REST and of the console's pages, initialised and not listening. */
export async function createAdmin(
  dependencies: AdminDependencies,
): Promise<NestFastifyApplication> {
  const { configuration, rates, log, telemetry, webFolder } = dependencies;
  return createHttpServer(AdminModule.register(dependencies), {
    baseUrl: configuration.baseUrl,
    publicUrl: configuration.adminUrl,
    isHttps: isSecure(configuration.adminUrl, configuration.baseUrl),
    log,
    telemetry,
    trustProxy: configuration.trustProxy,
    strangers: new AnonymousRates(rates, configuration.trustProxy),
    ...(webFolder !== undefined && {
      raw: new WebFiles(webFolder, isConsolePage, basePathOf(configuration.adminUrl)),
    }),
  });
}
