import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { createHttpServer } from '#web/http-server.js';
import type { AdminDependencies } from './admin-dependencies.js';
import { AdminModule } from './admin.module.js';

/** The server of the admin REST, initialised and not listening. */
export async function createAdmin(
  dependencies: AdminDependencies,
): Promise<NestFastifyApplication> {
  const { configuration, log, telemetry } = dependencies;
  return createHttpServer(AdminModule.register(dependencies), {
    baseUrl: configuration.baseUrl,
    log,
    telemetry,
    trustProxy: configuration.trustProxy,
  });
}
