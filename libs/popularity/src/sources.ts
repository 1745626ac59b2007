/** The sources of a service that names no others (specification 2.3). */
export const DEFAULT_SOURCES = ['google', 'tiktok', 'instagram'] as const;

/**
 * Columns of stored volumes, which hold those of the first, second and third source whatever a
 * service calls them: digests of releases name these columns, and are for ever.
 */
export const STORED_SOURCES: readonly string[] = DEFAULT_SOURCES;

const NAME = /^[a-z][a-z0-9_]{0,31}$/;
const OTHER_COLUMNS: readonly string[] = ['item_id', 'region', 'month'];
const served: string[] = [...DEFAULT_SOURCES];

/**
 * Where the volumes of this service come from, in the order of columns and answers: columns of
 * `volumes.csv`, and shares in answers. `serveSources` sets them at the start.
 */
export const SOURCES: readonly string[] = served;

/** Sets `SOURCES`, before anything that reads them. Throws RangeError with every fault. */
export function serveSources(names: readonly string[]): void {
  const faults = sourceFaults(names);
  if (faults.length > 0) throw new RangeError(faults.join(', '));
  served.splice(0, served.length, ...names);
}

/** All that keeps texts from being the sources of a service. */
export function sourceFaults(names: readonly string[]): string[] {
  const most = STORED_SOURCES.length;
  const wrong = names.filter((name) => !NAME.test(name) || OTHER_COLUMNS.includes(name));
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  return [
    ...(names.length === 0 || names.length > most ? [`${names.length} are named`] : []),
    ...[...new Set(wrong)].map((name) => `"${name}" is no such name`),
    ...[...new Set(repeated)].map((name) => `"${name}" is named twice`),
  ];
}

/** The member of an answer with the share of a source. */
export function shareOf(source: string): `${string}_share_percent` {
  return `${source}_share_percent`;
}

const BRANDS: Readonly<Record<string, string>> = { tiktok: 'TikTok' };

/** A source as people read it. */
export function sourceLabel(source: string): string {
  const words = source.replaceAll('_', ' ');
  return BRANDS[source] ?? words.charAt(0).toUpperCase() + words.slice(1);
}
