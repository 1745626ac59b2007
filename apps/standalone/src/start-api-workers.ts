import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { ChargingServer } from '#charging-link/charging-server.js';
import type { Forwarding } from '#charging-link/forwarding.js';
import { watchAbility } from '#deciding/watch-ability.js';
import type { DatabaseUrls } from '#embedded-postgres/state-file.js';
import type { Foundations } from '#service/foundations.js';
import { foundationWarnings } from '#service/readiness-parts.js';
import { startWorkers } from '#service/workers/start-workers.js';
import type { Shutdown } from '#web/shutdown.js';
import type { AccountingService } from '../../accounting/src/accounting-service.js';

/** The program of an API process, which a worker runs. */
const PROGRAM = fileURLToPath(new URL('../../api/src/main.js', import.meta.url));

/** How workers reach the database, and what encrypts the keys that they sign receipts with. */
export interface WorkerSecrets {
  readonly database: DatabaseUrls;
  readonly webhookSecret: string;
}

/**
 * Serves the public API from workers, for which this process decides: they ask over a socket of
 * this machine, in a folder that its user alone may enter. The shutdown has the workers answer what
 * they were asked before it ends the deciding.
 */
export async function startApiWorkers(
  foundations: Foundations,
  { database, webhookSecret }: WorkerSecrets,
  service: AccountingService,
  forwarding: Forwarding,
  shutdown: Shutdown,
): Promise<void> {
  const { configuration, rates, telemetry, logger } = foundations;
  const secret = randomBytes(32).toString('hex');
  const server = new ChargingServer({
    secret,
    charging: service.charging,
    forwarding,
    onUnsettled: (call) => service.settlement.settle(call),
    onFault: (error) => logger.warn({ err: error }, 'The charging server has a fault.'),
  });
  await watchAbility(foundations, service, (ability) => server.announce(ability), shutdown);
  const folder = await mkdtemp(path.join(tmpdir(), 'popindex-'));
  shutdown.stop('the folder of the socket', () => rm(folder, { recursive: true, force: true }));
  const socket = path.join(folder, 'charging.sock');
  await server.listenAt(socket);
  const starting = startWorkers(
    {
      program: PROGRAM,
      configuration,
      environment: {
        DATABASE_URL: database.url,
        ...(database.migrationUrl !== null && { MIGRATION_DATABASE_URL: database.migrationUrl }),
        CHARGING_URLS: `unix:${socket}`,
        CHARGING_SECRET: secret,
        WEBHOOK_SECRET_KEY: webhookSecret,
      },
      rates,
      telemetry,
      parts: service.parts,
      warnings: foundationWarnings(foundations),
      logger,
    },
    shutdown,
  );
  shutdown.drain('the workers and what decides for them', async () => {
    await starting.then((workers) => workers.close()).catch(() => undefined);
    await server.close();
  });
  await starting;
}
