import { fillProjections, lanesBehind, type FillProjections } from '#event-log/fill-projection.js';
import { eventsBetween, readCheckpoints } from '#event-log/projection-tables.js';
import { areWorthwhile, workInThreads, type Threads } from './lane-threads.js';

/** Fills projections of `allProjections` in threads, where there is enough to do. */
export function fillInThreads(threads: Threads, zone: string): FillProjections {
  return async (pool, projections, upTo, options) => {
    const { isShadow, eventsMax, signal, onApplied } = options;
    let behind = 0;
    for (const projection of projections) {
      // The others look at few of the events.
      if (projection.collect === undefined) continue;
      const from = await readCheckpoints(pool, projection, isShadow, [...upTo.keys()]);
      behind = Math.max(behind, eventsBetween(from, upTo));
    }
    if (!areWorthwhile(threads, behind)) return fillProjections(pool, projections, upTo, options);
    const lanes = await lanesBehind(pool, projections, upTo, isShadow);
    const names = projections.map(({ name }) => name);
    await workInThreads(threads, {
      job: { job: 'fill', projections: names, isShadow, eventsMax, upTo: [...upTo] },
      zone,
      lanes,
      signal,
      onEvents: onApplied,
    });
  };
}
