import type { Configuration } from '#web/configuration.js';
import type { Log } from '#web/log.js';
import type { SharedRates } from '#web/rates/rate-limits.js';
import type { Readiness } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import { readinessOf, withWarnings, type AskPart } from '../readiness-parts.js';
import type { ServiceTelemetry } from '../telemetry.js';
import {
  type CountsMessage,
  countsMessage,
  readTaking,
  type TakingMessage,
} from './rate-messages.js';
import type { CountedRequests } from './worker-rates.js';
import { WorkerPool } from './worker-pool.js';

export interface WorkersParts {
  /** The program that each worker runs, which serves the API. */
  readonly program: string;
  readonly configuration: Pick<
    Configuration,
    'apiWorkers' | 'apiPort' | 'accountingPort' | 'portalPort'
  >;
  /** Settings of the workers that are not those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  readonly rates: SharedRates;
  readonly telemetry: ServiceTelemetry;
  /** The parts of this process that all workers need. */
  readonly parts: Readonly<Record<string, AskPart>>;
  readonly warnings: readonly (() => Promise<readonly string[]>)[];
  readonly logger: Log;
}

/**
 * Serves the API from API_WORKERS processes, for which this one counts rates and collects metrics
 * and readiness. Resolves once they all serve; throws StartupError if one cannot. The caller closes
 * the pool; what does not end by itself is killed at the end of the shutdown.
 */
export async function startWorkers(given: WorkersParts, shutdown: Shutdown): Promise<WorkerPool> {
  const { configuration, rates, telemetry, logger } = given;
  const { metrics } = telemetry;
  const metricsText = async (): Promise<string> => metrics.text(await pool.ask<object>('metrics'));
  const parts = { ...given.parts, api_workers: () => pool.state() };
  const readiness: Readiness = withWarnings(readinessOf(parts, logger), ...given.warnings);
  const pool: WorkerPool = new WorkerPool({
    program: given.program,
    workers: configuration.apiWorkers,
    environment: { ...portsOf(configuration), ...given.environment },
    logger,
    answers: (worker) => ({
      taking: (message: TakingMessage) => countTaking(rates, message),
      counted: (counted: readonly CountedRequests[]) => {
        for (const [limit, requests] of counted) rates.owe(limit, requests);
        pool.notifyOthers(worker, 'counted', counted);
      },
      metrics: metricsText,
      readiness,
    }),
  });
  telemetry.readFrom(metricsText);
  metrics.sampled('popindex_api_workers', 'Workers that serve the public API.', 'gauge', () => [
    { labels: {}, value: pool.serving },
  ]);
  shutdown.last('workers that are late', async () => pool.kill());
  await pool.start();
  return pool;
}

/** Counts what a worker asks for. */
export function countTaking(rates: SharedRates, message: TakingMessage): CountsMessage {
  const { limits, requests } = readTaking(message);
  return countsMessage(rates.count(limits, requests));
}

/** Chosen by this process where they were 0; a worker's links name them. */
function portsOf({ apiPort, accountingPort, portalPort }: WorkersParts['configuration']) {
  return {
    API_PORT: String(apiPort),
    ACCOUNTING_PORT: String(accountingPort),
    PORTAL_PORT: String(portalPort),
  };
}
