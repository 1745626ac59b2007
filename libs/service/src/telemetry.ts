import type pg from 'pg';
import type { Configuration } from '#web/configuration.js';
import type { Log } from '#web/log.js';
import { LOOPBACK_ONLY, metricsAccessOf } from '#web/metrics-access.js';
import type { Readiness } from '#web/readiness.js';
import type { Shutdown } from '#web/shutdown.js';
import type { RequestObserver, Telemetry } from '#web/telemetry.js';
import type { Counts } from './metrics/count.js';
import { observeHttp } from './metrics/http-metrics.js';
import { Metrics } from './metrics/metrics.js';
import { startTracing } from './tracing.js';

/** The telemetry of a process, to which its parts add their metrics. */
export class ServiceTelemetry implements Telemetry {
  readonly observe: RequestObserver;
  private readonly changes: Counts;
  private readonly pools = new Map<string, pg.Pool>();
  private readText = (): Promise<string> => this.metrics.text();

  constructor(
    readonly metrics: Metrics,
    traceRequest?: RequestObserver,
    readonly metricsAccess = LOOPBACK_ONLY,
  ) {
    const measure = observeHttp(metrics);
    this.observe =
      traceRequest === undefined
        ? measure
        : (...exchange) => {
            measure(...exchange);
            traceRequest(...exchange);
          };
    this.changes = metrics.counts(
      'popindex_changes_total',
      'Changes by operation and outcome: made, replayed, or the code of the refusal.',
    );
    metrics.sampled(
      'popindex_database_connections',
      'Connections of each pool that are in use or idle.',
      'gauge',
      () => this.connections(),
    );
    metrics.sampled(
      'popindex_database_connections_waiting',
      'How many wait for a connection of each pool.',
      'gauge',
      () => [...this.pools].map(([pool, { waitingCount: value }]) => ({ labels: { pool }, value })),
    );
  }

  countChange(operation: string, outcome: string): void {
    this.changes.with({ operation, outcome }).value += 1;
  }

  metricsText(): Promise<string> {
    return this.readText();
  }

  /** From now on `/metrics` answers what `read` returns: the metrics of several processes. */
  readFrom(read: () => Promise<string>): void {
    this.readText = read;
  }

  watchPool(name: string, pool: pg.Pool): void {
    this.pools.set(name, pool);
  }

  /** Reports for each part whether it can serve, as `/readyz` does. */
  watchReadiness(readiness: Readiness): void {
    const help = 'Whether a part of the process can serve (1) or not (0).';
    this.metrics.sampled('popindex_part_ready', help, 'gauge', async () => {
      const { parts } = await readiness();
      return Object.entries(parts).map(([part, { ready }]) => ({
        labels: { part },
        value: ready ? 1 : 0,
      }));
    });
  }

  private connections() {
    return [...this.pools].flatMap(([pool, { totalCount, idleCount }]) => [
      { labels: { pool, state: 'in_use' }, value: totalCount - idleCount },
      { labels: { pool, state: 'idle' }, value: idleCount },
    ]);
  }
}

/** Metrics of this process, and traces where the environment asks for them. */
export async function openTelemetry(
  configuration: Configuration,
  logger: Log,
  shutdown: Shutdown,
): Promise<ServiceTelemetry> {
  const { mode } = configuration;
  const metrics = new Metrics();
  // A command lives too short to be asked.
  if (mode === 'popindex') return new ServiceTelemetry(metrics);
  metrics.watchProcess();
  const name = mode === 'standalone' ? 'popindex' : `popindex-${mode}`;
  const traceRequest = await startTracing(name, process.env, logger, shutdown);
  return new ServiceTelemetry(metrics, traceRequest, metricsAccessOf(configuration));
}
