import cluster from 'node:cluster';
import { Primary } from '#service/workers/primary.js';
import { WorkerRates, type CountedRequests } from '#service/workers/worker-rates.js';
import type { ServiceTelemetry } from '#service/telemetry.js';

/** This process as one of several workers: what it shares with the others, by its primary. */
export interface ApiWorker {
  readonly primary: Primary;
  readonly rates: WorkerRates;
  /** Has `/metrics` of this worker answer for all, and adds what it counts itself. */
  readonly shareMetrics: (telemetry: ServiceTelemetry) => void;
}

/**
 * Null where the process serves by itself. To be made first of all: from then on the primary hears
 * that this process runs, and asks for nothing else before it serves.
 */
export function apiWorker(): ApiWorker | null {
  if (!cluster.isWorker) return null;
  let collect = async (): Promise<object> => [];
  const primary: Primary = new Primary({
    metrics: () => collect(),
    counted: (counted: readonly CountedRequests[]) => rates.hear(counted),
  });
  const rates = new WorkerRates(primary);
  const shareMetrics = (telemetry: ServiceTelemetry): void => {
    collect = () => telemetry.metrics.collect();
    telemetry.readFrom(() => primary.ask<string>('metrics'));
  };
  return { primary, rates, shareMetrics };
}
