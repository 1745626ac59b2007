import {
  eventsBetween,
  fillProjection,
  lanesBehind,
  readCheckpoints,
  type FillProjection,
} from '#event-log/fill-projection.js';
import { areWorthwhile, workInThreads, type Threads } from './lane-threads.js';

/** Fills a projection of `allProjections` in threads, where there is enough to do. */
export function fillInThreads(threads: Threads, zone: string): FillProjection {
  return async (pool, projection, upTo, options) => {
    const { schema, eventsMax, signal, onApplied } = options;
    const from = await readCheckpoints(pool, projection.name, schema, [...upTo.keys()]);
    if (!areWorthwhile(threads, eventsBetween(from, upTo))) {
      return fillProjection(pool, projection, upTo, options);
    }
    const lanes = await lanesBehind(pool, projection, upTo, schema);
    const job = { job: 'fill', projection: projection.name, schema, eventsMax } as const;
    await workInThreads(threads, {
      job: { ...job, upTo: [...upTo] },
      zone,
      lanes,
      signal,
      onEvents: onApplied,
    });
  };
}
