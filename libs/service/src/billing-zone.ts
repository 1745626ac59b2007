import type { SystemStream } from '#event-log/system-stream.js';
import { StartupError } from '#web/startup-error.js';

/** Stored name of the event that fixes the zone in which Tuesdays, days and months begin. */
const BILLING_ZONE_SET = 'BillingZoneSet';

/**
 * Makes sure that the log and this process mean the same Tuesdays: the first start fixes the zone,
 * and every later one must be set to it. Throws StartupError.
 */
export async function fixBillingZone(
  system: SystemStream,
  zone: string,
  now: number,
): Promise<void> {
  await system.append((events) => {
    const set = events.find(({ type }) => type === BILLING_ZONE_SET);
    if (set === undefined) {
      return { callId: null, type: BILLING_ZONE_SET, at: now, data: { zone } };
    }
    const fixed = (JSON.parse(set.data) as { zone: string }).zone;
    if (fixed === zone) return null;
    throw new StartupError(
      `BILLING_TIME_ZONE: takes ${fixed}, in which this database has charged; it is "${zone}"`,
    );
  });
}
