import type { AppendServers, IndirectLanes } from '#event-log/append-servers.js';
import type { LanesAway } from './lane-warnings.js';
import type { Metrics } from './metrics/metrics.js';

/**
 * Warns of workers of a cluster to which no call is written straight: the coordinator writes it,
 * which costs more. One whose lanes do not answer at all is named by them.
 */
export function appendWarnings(
  indirect: readonly IndirectLanes[],
  { lanes: away }: LanesAway,
): readonly string[] {
  return indirect
    .filter(({ lanes }) => !lanes.every((lane) => away.includes(lane)))
    .map(({ address, isNamed }) => {
      const why = isNamed ? 'it does not answer this process' : 'DATABASE_URL does not name it';
      return `Calls are written to ${address} through the coordinator: ${why}.`;
    });
}

/** Counts the lanes that no call is written to straight. */
export function watchIndirectAppends(
  metrics: Metrics,
  servers: Pick<AppendServers, 'indirect'>,
): void {
  metrics.sampled(
    'popindex_lanes_indirect',
    'Lanes of a cluster whose calls are written through the coordinator, not straight to the worker.',
    'gauge',
    async () => [{ labels: {}, value: servers.indirect.flatMap(({ lanes }) => lanes).length }],
  );
}
