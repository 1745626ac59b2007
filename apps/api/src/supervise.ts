import { openTelemetry } from '#service/telemetry.js';
import { serviceLogger } from '#service/logger.js';
import { startWorkers } from '#service/workers/start-workers.js';
import type { Configuration } from '#web/configuration.js';
import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import type { Shutdown } from '#web/shutdown.js';

/** Serves the API from workers, with this process beside them. */
export async function supervise(
  configuration: Configuration,
  program: string,
  shutdown: Shutdown,
): Promise<void> {
  const logger = serviceLogger(configuration);
  shutdown.reportTo(logger);
  const telemetry = await openTelemetry(configuration, logger, shutdown);
  const rates = new MemoryRateLimits();
  const own = { configuration, rates, telemetry, logger };
  const starting = startWorkers(
    { ...own, program, environment: {}, parts: {}, warnings: [] },
    shutdown,
  );
  shutdown.drain('the workers', () => starting.then((pool) => pool.close()).catch(() => undefined));
  await starting;
  const { baseUrl: url, apiPort: port } = configuration;
  logger.info({ url, port }, 'The public API serves.');
}
