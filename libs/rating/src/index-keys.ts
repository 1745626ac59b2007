/** The product of the popularity index. Its keys are paths, older than all other products. */
export const INDEX = 'v1';

/** Every key of the index begins so, before the label of its week. */
export const INDEX_START = `/${INDEX}/`;

/**
 * Keys of the index behind `/v1/` and the week: members of the resource in braces, and literals, of
 * which the first is the resource's name, behind one member. Keys are stored: none of this is ever
 * changed.
 */
const PATHS: Readonly<Record<string, string>> = {
  'related-trends': '{level}/related-trends/{limit}/popindex/{region}/{category}/{group}',
  timeseries: '{type}/timeseries/popindex/{region}/{item}',
  trends: '{level}/trends/{limit}/popindex/{region}/{category}',
  brands: '{level}/brands/{limit}/popindex/{region}/{category}',
};

/** By this member no rule of a card of the index can match. */
const UNPRICED = 'item';

/** By this one few rules match. */
const RARELY_PRICED = 'category';

/** In segments, of which 0 is before the first slash: `/v1/{window}/…/name/…`. */
export const NAME_AT = 4;
const FIRST_AT = 3;

/** Place of a member in a key, in segments. */
export interface Slot {
  readonly member: string;
  readonly at: number;
  /** The text of the key between the value before it and its own. */
  readonly before: string;
  readonly pricing: 'matched' | 'rare' | 'none';
}

/** The form of the keys of a resource of the index. */
export interface IndexKey {
  /** How many segments a key has. */
  readonly length: number;
  readonly literals: readonly (readonly [at: number, text: string])[];
  readonly slots: readonly Slot[];
}

const KEYS = new Map(Object.entries(PATHS).map(([name, path]) => [name, keyOfPath(path)]));

/** The form of a resource's keys. Throws Error where the index has no such resource. */
export function indexKey(resource: string): IndexKey {
  const key = KEYS.get(resource);
  if (key === undefined) throw new Error(`${resource} is no resource of the popularity index.`);
  return key;
}

/** Every resource of the index with the form of its keys. */
export function indexKeys(): Iterable<readonly [resource: string, key: IndexKey]> {
  return KEYS;
}

/** The members of a key of the index by its segments; undefined where it is none. */
export function readIndexKey(key: string): Readonly<Record<string, string>> | undefined {
  const segments = key.split('/');
  const resource = segments[NAME_AT] ?? '';
  const form = KEYS.get(resource);
  if (form?.length !== segments.length || segments.includes('', 1)) return undefined;
  for (const [at, text] of form.literals) if (segments[at] !== text) return undefined;
  const read: Record<string, string> = { resource };
  for (const { at, member } of form.slots) read[member] = segments[at] ?? '';
  return read;
}

function keyOfPath(path: string): IndexKey {
  const segments = path.split('/');
  const literals: [number, string][] = [];
  const slots: Slot[] = [];
  let before = '/';
  for (const [index, segment] of segments.entries()) {
    const at = FIRST_AT + index;
    const member = /^\{(.*)\}$/.exec(segment)?.[1];
    if (member === undefined) {
      literals.push([at, segment]);
      before += `${segment}/`;
      continue;
    }
    const pricing = member === UNPRICED ? 'none' : member === RARELY_PRICED ? 'rare' : 'matched';
    slots.push({ member, at, before, pricing });
    before = '/';
  }
  return { length: FIRST_AT + segments.length, literals, slots };
}
