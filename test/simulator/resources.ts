import type { CallMade } from '#account/calls.js';
import { allBeauty } from '#account/scenario.suite.js';
import { resourceKey } from '#rating/resource-key.js';
import type { Resource } from '#rating/resource.js';
import { hold } from '../../bench/model/broken-rule.js';

interface Priced {
  readonly resource: Resource;
  /** Credits of a first call in a window: specification 8.1, written down here once more. */
  readonly baseCredits: number;
}

export const RESOURCES: readonly Priced[] = [
  { resource: allBeauty, baseCredits: 50_000 },
  { resource: { ...allBeauty, limit: 'top5' }, baseCredits: 35 },
  { resource: { ...allBeauty, category: 'skincare' }, baseCredits: 10_000 },
  { resource: { ...allBeauty, category: 'nails', limit: 'top100' }, baseCredits: 45 },
];

/** Rows of every answer; the last of the resources above is priced by them. */
export const ROWS = 7;

const BY_REST = new Map(
  RESOURCES.map(({ resource, baseCredits }) => [
    restOf(resourceKey(resource, '2026w48')),
    baseCredits,
  ]),
);

function restOf(key: string): string {
  return key.split('/').slice(3).join('/');
}

/** Price of a key's first call, in credits. */
export function baseCreditsOf({ key, rows }: CallMade): number {
  hold(rows === ROWS, () => `${key} has ${rows} rows.`);
  const credits = BY_REST.get(restOf(key));
  if (credits === undefined) throw new RangeError(`${key} is none of the resources.`);
  return credits;
}
