import { REGIONS } from '#popularity/regions.js';
import type { Resource } from '#rating/resource.js';

/** A resource that decisions take for one of a release, with the rows it would answer. */
export interface BenchmarkResource {
  readonly resource: Resource;
  readonly rows: number;
}

const GOLDEN = 0x9e3779b1;

/** A UUID (version 8) of its own for each ordinal below 2^48, in no order. */
function itemOf(ordinal: number): string {
  const mixed = (Math.imul(ordinal + 1, GOLDEN) >>> 0).toString(16).padStart(8, '0');
  return `${mixed}-${mixed.slice(0, 4)}-8${mixed.slice(5)}-8${mixed.slice(1, 4)}-${ordinal
    .toString(16)
    .padStart(12, '0')}`;
}

/** The first ones are made once: what is measured is not how fast they are made. */
const KEPT_MAX = 65_536;
const kept: BenchmarkResource[] = [];

/** Another resource for each ordinal from 0: all regions, and four kinds of several prices. */
export function benchmarkResource(ordinal: number): BenchmarkResource {
  const made = kept[ordinal] ?? makeResource(ordinal);
  if (ordinal < KEPT_MAX) kept[ordinal] = made;
  return made;
}

function makeResource(ordinal: number): BenchmarkResource {
  const item = itemOf(ordinal);
  const region = REGIONS[ordinal % REGIONS.length] ?? 'us';
  const related = { resource: 'related-trends', level: 'cat5', region, category: item } as const;
  const series = { resource: 'timeseries', region, item } as const;
  switch (Math.floor(ordinal / REGIONS.length) % 4) {
    case 0:
      return { resource: { ...series, type: 'cat5' }, rows: 48 };
    case 1:
      return { resource: { ...related, limit: 'top5', group: 'ingredients' }, rows: 5 };
    case 2:
      return { resource: { ...series, type: 'brand' }, rows: 48 };
    default:
      return { resource: { ...related, limit: 'top100', group: 'concerns' }, rows: 100 };
  }
}
