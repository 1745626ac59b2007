import { indexKey, readIndexKey } from './index-keys.js';
import { nameOfKey } from './key-parts.js';
import type { NamedResource } from './named-resource.js';

const WINDOW_AT = 2;
const LATEST = 'latest';
/** Stands for values by which no rule can match. It is no value of any member. */
export const ANY = '*';

/**
 * A key of the index without its week and the values by which no rule can match: keys of one path
 * fall under the same rule of any card. With `wide` those are left out too by which few rules
 * match.
 */
export function pricedPath(key: string, wide = false): string {
  const segments = key.split('/');
  segments[WINDOW_AT] = LATEST;
  for (const { at, pricing } of indexKey(nameOfKey(key)).slots) {
    if (pricing === 'none' || (wide && pricing === 'rare')) segments[at] = ANY;
  }
  return segments.join('/');
}

/** The resource of such a path, for `ruleFor`. */
export function pricedResource(path: string): NamedResource {
  const resource = readIndexKey(path);
  if (resource === undefined) throw new Error(`${path} is no path of the popularity index.`);
  return resource;
}
