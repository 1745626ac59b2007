import { isWindowLabel } from '#calendar/window-label.js';
import { formWords, isOfForm } from '#rating/path-values.js';
import { parseResourcePath, type PathOutcome } from '#rating/resource-path.js';
import { PARAMETERS } from '#rating/resource.js';

/** The regions of a service that names no others (specification 4). */
export const DEFAULT_REGIONS = ['us', 'gb', 'fr', 'kr', 'jp', 'global'] as const;

/** The sum of all other regions, except for an item with rows of its own for it. */
export const GLOBAL = 'global';

const CODE = PARAMETERS.region.form;
const served: [string, ...string[]] = [...DEFAULT_REGIONS];

/**
 * The regions of this service, in the order in which they are listed. One list for a process, as
 * schemas and documents are made of it, too: `serveRegions` sets it at the start.
 */
export const REGIONS: readonly [string, ...string[]] = served;

/** Sets `REGIONS`, before anything that reads them. Throws RangeError with every fault. */
export function serveRegions(codes: readonly string[]): void {
  const faults = regionFaults(codes);
  if (faults.length > 0) throw new RangeError(faults.join(', '));
  served.splice(0, served.length, ...codes);
}

/** The region of examples and of most demo data: the first that is no sum. */
export function mainRegion(): string {
  return REGIONS.find((code) => code !== GLOBAL) ?? GLOBAL;
}

/** Reads the path of a call to this service: `parseResourcePath` for its regions alone. */
export function parseServedPath(path: string): PathOutcome {
  return parseResourcePath(path, isWindowLabel, { region: REGIONS });
}

/** All that keeps texts from being the regions of a service. */
export function regionFaults(codes: readonly string[]): string[] {
  if (codes.length === 0) return ['no region is named'];
  const wrong = codes.filter((code) => !isOfForm(CODE, code));
  const repeated = codes.filter((code, index) => codes.indexOf(code) < index);
  return [
    ...[...new Set(wrong)].map((code) => `"${code}" is not ${formWords(CODE)}`),
    ...[...new Set(repeated)].map((code) => `"${code}" is named twice`),
  ];
}

/** A region as people read it: countries have names, other codes stand for themselves. */
export function regionLabel(code: string): string {
  if (code === GLOBAL) return 'Worldwide';
  if (!/^[a-z]{2}$/.test(code)) return code;
  const country = code.toUpperCase();
  const name = new Intl.DisplayNames('en', { type: 'region' }).of(country);
  return name === undefined || name === country ? code : name;
}
