import { INDEX_START, indexKeys, NAME_AT } from './index-keys.js';
import { decoded } from './named-resource.js';

// Parts of keys, read without the others: this is done for every call of the service, and splitting
// a key takes several times as long. Of every product a key begins with its name and the label of
// its week: `/{product}/{window}/…`.

/** In place of the label in a path that asks for the running window. */
export const LATEST = 'latest';

/** In segments: `/{product}/{window}/{resource}?name=value&…`. */
const DESCRIBED_NAME_AT = 3;

/** Where the label begins. */
function labelAt(key: string): number {
  return key.indexOf('/', 1) + 1;
}

/** The product that a key is of. */
export function productOfKey(key: string): string {
  return key.slice(1, labelAt(key) - 1);
}

/** Whether a key is one of the popularity index. */
export function isIndexKey(key: string): boolean {
  return key.startsWith(INDEX_START);
}

/** The label that a key holds, or `latest` of a path that asks for the running window. */
export function windowOfKey(key: string): string {
  const at = labelAt(key);
  const end = key.indexOf('/', at);
  return end < 0 ? key.slice(at) : key.slice(at, end);
}

/** Whether a key is one of a window's own: its path holds that label. */
export function isKeyOf(key: string, window: string): boolean {
  const at = labelAt(key);
  return key.startsWith(window, at) && key[at + window.length] === '/';
}

/** The same key in another window. */
export function keyInWindow(key: string, window: string): string {
  const at = labelAt(key);
  return key.slice(0, at) + window + key.slice(key.indexOf('/', at));
}

/** The path that asks for a key's resource in the running window: equal for equal resources. */
export function asLatest(key: string): string {
  return keyInWindow(key, LATEST);
}

/** Whether a path is that one. Makes one text at most: this is asked for every call. */
export function isAsLatest(path: string, key: string): boolean {
  const at = labelAt(key);
  const end = key.indexOf('/', at);
  const isAsLong = path.length === at + LATEST.length + key.length - end;
  if (!isAsLong || !path.startsWith(LATEST, at)) return false;
  for (let index = 0; index < at; index += 1) {
    if (path.charCodeAt(index) !== key.charCodeAt(index)) return false;
  }
  return path.endsWith(key.slice(end));
}

/** The name of a key's resource. */
export function nameOfKey(key: string): string {
  if (isIndexKey(key)) return segmentOf(key, NAME_AT);
  const described = segmentOf(key, DESCRIBED_NAME_AT);
  const end = described.indexOf('?');
  return end < 0 ? described : described.slice(0, end);
}

/** A member of a key's resource, by its name; empty if the resource has no such member. */
export function memberOfKey(key: string, name: string, member: string): string {
  const text = memberInKey(key, name, member);
  return isIndexKey(key) ? text : (decoded(text) ?? '');
}

/** The same as it stands in the key: percent-encoded, but for those of the index. */
export function memberInKey(key: string, name: string, member: string): string {
  if (!isIndexKey(key)) return describedMember(key, member);
  const at = placesOf(member).get(name);
  return at === undefined ? '' : segmentOf(key, at);
}

/**
 * In which segment of a key of the index the name of its resource stands, and a member, by that
 * name.
 */
export function placesInKeys(member: string): {
  readonly name: number;
  readonly member: ReadonlyMap<string, number>;
} {
  return { name: NAME_AT, member: placesOf(member) };
}

const PLACES = placesByMember();
const NOWHERE: ReadonlyMap<string, number> = new Map();

function placesOf(member: string): ReadonlyMap<string, number> {
  return PLACES.get(member) ?? NOWHERE;
}

function placesByMember(): ReadonlyMap<string, ReadonlyMap<string, number>> {
  const found = new Map<string, Map<string, number>>();
  for (const [resource, { slots }] of indexKeys()) {
    for (const { member, at } of slots) {
      const places = found.get(member) ?? new Map<string, number>();
      found.set(member, places.set(resource, at));
    }
  }
  return found;
}

function describedMember(key: string, member: string): string {
  const start = `${member}=`;
  const query = key.slice(key.indexOf('?') + 1 || key.length);
  const pair = query.split('&').find((one) => one.startsWith(start));
  return pair === undefined ? '' : pair.slice(start.length);
}

function segmentOf(key: string, segment: number): string {
  let at = 0;
  for (let passed = 0; passed < segment; passed += 1) at = key.indexOf('/', at) + 1;
  const end = key.indexOf('/', at);
  return end < 0 ? key.slice(at) : key.slice(at, end);
}
