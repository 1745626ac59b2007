import type { Fold } from '#event-log/fold.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { StartupError } from '#web/startup-error.js';

/** Stored name of the event that fixes the zone in which Tuesdays, days and months begin. */
const BILLING_ZONE_SET = 'BillingZoneSet';

const ZONE: Fold<string | undefined> = {
  initial: () => undefined,
  evolve: (zone, { type, data }) =>
    zone === undefined && type === BILLING_ZONE_SET
      ? (JSON.parse(data) as { zone: string }).zone
      : zone,
};

/**
 * Makes sure that the log and this process mean the same Tuesdays: the first start fixes the zone,
 * and every later one must be set to it. Throws StartupError.
 */
export async function fixBillingZone(
  system: SystemStream,
  zone: string,
  now: number,
): Promise<void> {
  await system.append(ZONE, (fixed) => {
    if (fixed === undefined) {
      return { callId: null, type: BILLING_ZONE_SET, at: now, data: { zone } };
    }
    refuseOtherZone(fixed, zone);
    return null;
  });
}

/** The same for whoever only reads: nothing is fixed. Throws StartupError. */
export async function checkBillingZone(system: SystemStream, zone: string): Promise<void> {
  refuseOtherZone((await fixedBillingZone(system)) ?? zone, zone);
}

function refuseOtherZone(fixed: string, zone: string): void {
  // Names of zones are the same in any case.
  if (fixed.toLowerCase() === zone.toLowerCase()) return;
  throw new StartupError(
    `BILLING_TIME_ZONE: takes ${fixed}, in which this database has charged; it is "${zone}"`,
  );
}

/** The zone in which a log has charged; undefined before the first start of a service on it. */
export async function fixedBillingZone(system: SystemStream): Promise<string | undefined> {
  return system.read(ZONE);
}
