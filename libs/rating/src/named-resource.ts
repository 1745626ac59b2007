import { Faults, below } from './faults.js';
import type { Fault } from './faults.js';
import { INDEX } from './index-keys.js';

/**
 * Names and texts of what a call asks for: its `resource`, the members by which rules of rate cards
 * match, and its `product`, which is absent of the popularity index.
 */
export type NamedResource = Readonly<Record<string, string>>;

/** The unit that an answer's rows or points are counted in. */
export const ROWS = 'rows';

const PRODUCT = /^[a-z0-9-]{1,32}$/;
const MEMBER = /^[a-z0-9_]{1,32}$/;
const MEMBERS_MAX = 8;
const VALUE_LENGTH_MAX = 128;
const KEY_BYTES_MAX = 512;

/** Names that usage is grouped by beside members, and what is no name of a member of an object. */
const TAKEN: ReadonlySet<string> = new Set([
  '__proto__',
  'product',
  'resource',
  'account',
  'api_key',
  'day',
  'key',
  'kind',
  'month',
  'rule',
  'tags',
  'unit',
  'window',
]);

/** The product of a resource, or of a rate card. */
export function productOf({ product }: { readonly product?: string | undefined }): string {
  return product ?? INDEX;
}

/** Whether a text can name a product or a resource. */
export function isName(text: string): boolean {
  return PRODUCT.test(text);
}

/** Whether a text can name a member or a unit. */
export function isMemberName(text: string): boolean {
  return MEMBER.test(text) && !TAKEN.has(text);
}

/** No log could keep it: half of a character. */
const SURROGATE = /\p{Cs}/u;

/** Whether a text can be the value of a member. */
export function isMemberValue(text: string): boolean {
  return text.length >= 1 && text.length <= VALUE_LENGTH_MAX && !SURROGATE.test(text);
}

/** Everything that keeps names from being those of a resource of another product than the index. */
export function resourceFaults(product: string, resource: string, members: NamedResource): Fault[] {
  const faults = new Faults();
  const words = '1 to 32 characters of a to z, 0 to 9 and "-"';
  if (!isName(product)) faults.add('/product', `must be ${words}`);
  if (product === INDEX) faults.add('/product', `must not be ${INDEX}: its calls are paths`);
  if (!isName(resource)) faults.add('/resource', `must be ${words}`);
  const names = Object.keys(members);
  if (names.length > MEMBERS_MAX) faults.add('/members', `must be at most ${MEMBERS_MAX}`);
  for (const name of names) {
    const place = below('/members', name);
    if (!MEMBER.test(name)) {
      faults.add(place, 'must be named by 1 to 32 characters of a to z, 0 to 9 and "_"');
    } else if (TAKEN.has(name)) faults.add(place, 'is a name that has another meaning');
    if (isMemberValue(members[name] ?? '')) continue;
    faults.add(place, `must be a text of 1 to ${VALUE_LENGTH_MAX} characters`);
  }
  if (faults.found.length > 0) return faults.found;
  const length = describedKey({ product, resource, ...members }, '0000w00').length;
  if (length > KEY_BYTES_MAX) {
    faults.add('', `makes a key of ${length} bytes; ${KEY_BYTES_MAX} are the most`);
  }
  return faults.found;
}

/**
 * The key of a resource of another product than the index, which describes itself:
 * `/{product}/{week}/{resource}?name=value&…`, sorted by name and percent-encoded.
 */
export function describedKey(resource: NamedResource, label: string): string {
  const { product, resource: name, ...members } = resource;
  const query = Object.keys(members)
    .toSorted()
    .map((member) => `${member}=${encoded(members[member] ?? '')}`)
    .join('&');
  return `/${product}/${label}/${name}${query === '' ? '' : `?${query}`}`;
}

/** The resource that such a key describes; undefined for any other text. */
export function readDescribedKey(key: string): NamedResource | undefined {
  const parts = /^\/([a-z0-9-]{1,32})\/([^/?]+)\/([a-z0-9-]{1,32})(?:\?([^/]+))?$/.exec(key);
  if (parts === null) return undefined;
  const [, product = '', label = '', resource = '', query = ''] = parts;
  const read: Record<string, string> = { product, resource };
  for (const pair of query === '' ? [] : query.split('&')) {
    const at = pair.indexOf('=');
    const value = at < 0 ? undefined : decoded(pair.slice(at + 1));
    if (value === undefined) return undefined;
    read[pair.slice(0, at)] = value;
  }
  // One resource has one key: another spelling of it is none.
  return describedKey(read, label) === key ? read : undefined;
}

/** Unreserved characters stay (RFC 3986), all others are the bytes of their UTF-8. */
function encoded(text: string): string {
  return encodeURIComponent(text).replaceAll(
    /[!'()*]/g,
    (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** A member's value from a key; undefined where it is wrongly encoded. */
export function decoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}
