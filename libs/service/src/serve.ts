import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { gracefulClose } from '#web/server/graceful-close.js';
import type { Shutdown } from '#web/shutdown.js';
import { listenOn } from '#web/startup-error.js';

/** Calls in flight are cut a little before the shutdown gives up on them. */
const DRAIN_MS = 9_000;

/**
 * Listens with an HTTP application until the shutdown drains it. Throws StartupError, which names
 * the variable, for a port that cannot be had.
 */
export async function serve(
  app: NestFastifyApplication,
  variable: string,
  host: string,
  port: number,
  shutdown: Shutdown,
): Promise<void> {
  const fastify = app.getHttpAdapter().getInstance();
  // Nest's own listen would log the fault of a port beside the line for the operator.
  await listenOn(variable, host, port, () => fastify.listen({ port, host }));
  shutdown.drain(`the server on ${variable}`, () => gracefulClose(app, DRAIN_MS));
}
