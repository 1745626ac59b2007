import { KEY_SHAPES } from './path-shapes.js';
import type { Member, ResourceName } from './resource.js';

// Parts of keys, read without the others: this is done for every call of the service, and splitting
// a key takes several times as long.

/** Every key begins with `/v1/` and the label of its week. */
const LABEL_AT = '/v1/'.length;
const LATEST = '/v1/latest';
/** In segments, like all places: `/v1/{window}/…/name/…`. */
const NAME_AT = 4;

/** The label that a key holds, or `latest` of a path that asks for the running window. */
export function windowOfKey(key: string): string {
  const end = key.indexOf('/', LABEL_AT);
  return end < 0 ? key.slice(LABEL_AT) : key.slice(LABEL_AT, end);
}

/** Whether a key is one of a window's own: its path holds that label. */
export function isKeyOf(key: string, window: string): boolean {
  return key.startsWith(window, LABEL_AT) && key[LABEL_AT + window.length] === '/';
}

/** The path that asks for a key's resource in the running window: equal for equal resources. */
export function asLatest(key: string): string {
  return LATEST + key.slice(key.indexOf('/', LABEL_AT));
}

/** Whether a path is that one. Makes no text: this is asked for every call. */
export function isAsLatest(path: string, key: string): boolean {
  const rest = key.slice(key.indexOf('/', LABEL_AT));
  const isAsLong = path.length === LATEST.length + rest.length;
  return isAsLong && path.startsWith(LATEST) && path.endsWith(rest);
}

/** The name of a key's resource. */
export function nameOfKey(key: string): string {
  return segmentOf(key, NAME_AT);
}

/** A member of a key's resource, by its name; empty if the resource has no such member. */
export function memberOfKey(key: string, name: string, member: Member): string {
  const at = PLACES[member].get(name);
  return at === undefined ? '' : segmentOf(key, at);
}

/** In which segment of a key the name of its resource stands, and a member, by that name. */
export function placesInKeys(member: Member): {
  readonly name: number;
  readonly member: ReadonlyMap<string, number>;
} {
  return { name: NAME_AT, member: PLACES[member] };
}

const PLACES = placesByMember();

function placesByMember(): Readonly<Record<Member, ReadonlyMap<string, number>>> {
  const found: Record<string, Map<ResourceName, number>> = {};
  for (const { resource, slots } of Object.values(KEY_SHAPES)) {
    for (const { member, at } of slots) (found[member] ??= new Map()).set(resource, at);
  }
  return found as Record<Member, Map<ResourceName, number>>;
}

function segmentOf(key: string, segment: number): string {
  let at = 0;
  for (let passed = 0; passed < segment; passed += 1) at = key.indexOf('/', at) + 1;
  const end = key.indexOf('/', at);
  return end < 0 ? key.slice(at) : key.slice(at, end);
}
