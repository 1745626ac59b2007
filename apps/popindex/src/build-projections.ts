import type { OnProgress } from '#backup/backup-progress.js';
import { Calendar } from '#calendar/calendar.js';
import { bringUpProjections } from '#event-log/bring-up-projection.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { fillInThreads } from '#projections/lane-threads/fill-in-threads.js';
import { allProjections } from '#projections/projections/projections.js';
import { fixedBillingZone } from '#service/fixed-settings.js';
import { threadsFor, withPatience } from './log-tool-work.js';

/**
 * Builds every projection of a log that was just restored, in the zone in which it has charged. One
 * that is interrupted leaves what the next start builds on.
 */
export async function buildProjections(url: string, onProgress: OnProgress): Promise<void> {
  await withPatience(url, async (pool) => {
    const zone = await fixedBillingZone(new SystemStream(new PostgresEventLog(pool)));
    // A log without a zone was never charged in: there is nothing to build.
    if (zone === undefined) return;
    const fill = fillInThreads(threadsFor(url), zone);
    await bringUpProjections(pool, allProjections(new Calendar(zone)), {
      fill,
      onProgress: ({ events, total }) =>
        onProgress({ stage: 'building projections', done: events, total, unit: 'events' }),
    });
  });
}
