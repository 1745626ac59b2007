import type { Fold } from '#event-log/fold.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { DEFAULT_REGIONS } from '#popularity/regions.js';
import { DEFAULT_SOURCES } from '#popularity/sources.js';
import type { Configuration } from '#web/configuration.js';
import { StartupError } from '#web/startup-error.js';

/**
 * Stored name of the event of the first start: the zone in which Tuesdays, days and months begin,
 * and the regions and sources where they are not the default ones.
 */
const BILLING_ZONE_SET = 'BillingZoneSet';
/** Stored name of the event of a later start with more regions. */
const REGIONS_ADDED = 'RegionsAdded';

interface FirstEvent {
  readonly zone: string;
  readonly regions?: readonly string[];
  readonly sources?: readonly string[];
}

/** Settings that the first start of a service fixes. */
export type FixedSettings = Pick<Configuration, 'billingTimeZone' | 'regions' | 'sources'>;

const FIXED: Fold<FixedSettings | undefined> = {
  initial: () => undefined,
  evolve(fixed, { type, data }) {
    if (type === BILLING_ZONE_SET && fixed === undefined) {
      const { zone, regions, sources } = JSON.parse(data) as FirstEvent;
      return {
        billingTimeZone: zone,
        regions: regions ?? DEFAULT_REGIONS,
        sources: sources ?? DEFAULT_SOURCES,
      };
    }
    if (type !== REGIONS_ADDED || fixed === undefined) return fixed;
    const { regions } = JSON.parse(data) as { regions: readonly string[] };
    return { ...fixed, regions: [...new Set([...fixed.regions, ...regions])] };
  },
};

/**
 * Makes sure that the log and this process mean the same Tuesdays, regions and sources, which the
 * first start fixes. A later one has the same, and may have more regions. Throws StartupError.
 */
export async function fixSettings(
  system: SystemStream,
  settings: FixedSettings,
  now: number,
): Promise<void> {
  await system.append(FIXED, (fixed) => {
    if (fixed === undefined) return firstEvent(settings, now);
    refuseOthers(fixed, settings);
    const regions = missingIn(fixed.regions, settings.regions);
    if (regions.length === 0) return null;
    return { callId: null, type: REGIONS_ADDED, at: now, data: { regions } };
  });
}

/** The same for whoever only reads: nothing is fixed. Throws StartupError. */
export async function checkSettings(system: SystemStream, settings: FixedSettings): Promise<void> {
  refuseOthers((await system.read(FIXED)) ?? settings, settings);
}

/** The zone in which a log has charged; undefined before the first start of a service on it. */
export async function fixedBillingZone(system: SystemStream): Promise<string | undefined> {
  return (await system.read(FIXED))?.billingTimeZone;
}

function firstEvent({ billingTimeZone: zone, regions, sources }: FixedSettings, at: number) {
  const hasDefaultRegions =
    missingIn(DEFAULT_REGIONS, regions).length + missingIn(regions, DEFAULT_REGIONS).length === 0;
  const data: FirstEvent = {
    zone,
    ...(!hasDefaultRegions && { regions }),
    ...(sources.join() !== DEFAULT_SOURCES.join() && { sources }),
  };
  return { callId: null, type: BILLING_ZONE_SET, at, data };
}

function refuseOthers(fixed: FixedSettings, settings: FixedSettings): void {
  const lines: string[] = [];
  const { billingTimeZone: zone, regions, sources } = settings;
  // Names of zones are the same in any case.
  if (fixed.billingTimeZone.toLowerCase() !== zone.toLowerCase()) {
    lines.push(
      `BILLING_TIME_ZONE: takes ${fixed.billingTimeZone}, in which this database has charged; it is "${zone}"`,
    );
  }
  const lost = missingIn(regions, fixed.regions);
  if (lost.length > 0) {
    lines.push(
      `REGIONS: takes ${fixed.regions.join(',')}, which this database has served, and more; it lacks ${lost.join(', ')}`,
    );
  }
  if (fixed.sources.join() !== sources.join()) {
    lines.push(
      `SOURCES: takes ${fixed.sources.join(',')}, with which this database began; it is "${sources.join(',')}"`,
    );
  }
  if (lines.length > 0) throw new StartupError(lines.join('\n'));
}

function missingIn(regions: readonly string[], wanted: readonly string[]): readonly string[] {
  return wanted.filter((code) => !regions.includes(code));
}
