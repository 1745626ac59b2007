import cluster from 'node:cluster';
import type { Foundations } from '#service/foundations.js';
import { Primary } from '#service/workers/primary.js';
import { WorkerRates, type Counted } from '#service/workers/worker-rates.js';

/** This process as one of several workers: what it shares with the others, by its primary. */
export interface ApiWorker {
  readonly primary: Primary;
  readonly rates: WorkerRates;
}

/** Null where the process serves by itself. */
export function apiWorker({ telemetry }: Foundations): ApiWorker | null {
  if (!cluster.isWorker) return null;
  const primary: Primary = new Primary({
    metrics: () => telemetry.metrics.collect(),
    counted: (counted: readonly Counted[]) => rates.hear(counted),
  });
  const rates = new WorkerRates(primary);
  telemetry.readFrom(() => primary.ask<string>('metrics'));
  return { primary, rates };
}
