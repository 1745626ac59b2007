import { nameOfKey } from './key-parts.js';
import { KEY_SHAPES } from './path-shapes.js';
import { PARAMETERS } from './resource.js';
import type { Resource, ResourceName } from './resource.js';

const WINDOW_AT = 2;
const LATEST = 'latest';
/** Stands for values by which no rule can match. It is no value of any member. */
export const ANY = '*';

/**
 * A key without its week and the values by which no rule can match: keys of one path fall under the
 * same rule of any card. With `wide` the category is left out too, by which few rules match.
 */
export function pricedPath(key: string, wide = false): string {
  const segments = key.split('/');
  segments[WINDOW_AT] = LATEST;
  for (const { at, name, member } of KEY_SHAPES[nameOfKey(key) as ResourceName].slots) {
    if (!PARAMETERS[name].matched || (wide && member === 'category')) segments[at] = ANY;
  }
  return segments.join('/');
}

/** The resource of such a path, for `ruleFor`. */
export function pricedResource(path: string): Resource {
  const segments = path.split('/');
  const { blank, slots } = KEY_SHAPES[nameOfKey(path) as ResourceName];
  const members = slots.map(({ at, member }) => [member, segments[at] ?? '']);
  return { ...blank, ...Object.fromEntries(members) } as Resource;
}
