import { isWindowLabel } from '#calendar/window-label.js';
import { INDEX_START, indexKey, readIndexKey } from './index-keys.js';
import { asLatest, isAsLatest, isIndexKey, LATEST, windowOfKey } from './key-parts.js';
import { describedKey, type NamedResource, readDescribedKey } from './named-resource.js';

/** Stands in a stored call for a path that was its key. */
const AS_KEY = 'key';

/**
 * The resource key: the one name under which a resource is charged in a week (specification 2.1 and
 * 9). Of the popularity index it is the path with the label of its week, of any other product it
 * describes itself. Distinct pairs of resource and label have distinct keys.
 */
export function resourceKey(resource: NamedResource, label: string): string {
  if (resource.product !== undefined) return describedKey(resource, label);
  let key = INDEX_START + label;
  for (const { before, member } of indexKey(resource.resource ?? '').slots) {
    key += before + resource[member];
  }
  return key;
}

/** The resource that a key names, in any week; undefined for what is no key. */
export function resourceOfKey(key: string): NamedResource | undefined {
  const label = windowOfKey(key);
  if (label !== LATEST && !isWindowLabel(label)) return undefined;
  return isIndexKey(key) ? readIndexKey(key) : readDescribedKey(key);
}

/** The path that asks for a resource in the running window. */
export function latestPath(resource: NamedResource): string {
  return resourceKey(resource, LATEST);
}

/**
 * How the path that a client sent is kept beside its key, as shortly as it can be: undefined if it
 * is the key with `latest` in place of the label, which most are; `key` if it is the key; otherwise
 * the whole path. `askedPath` gives back exactly what was sent. Throws RangeError for a path
 * without its first slash, which could be taken for one of the short forms.
 */
export function askedForm(key: string, asked: string): string | undefined {
  if (!asked.startsWith('/')) throw new RangeError(`"${asked}" is not a path.`);
  if (asked === key) return AS_KEY;
  return isAsLatest(asked, key) ? undefined : asked;
}

/** The path as it was sent, from its key and the form that `askedForm` gave. */
export function askedPath(key: string, form: string | undefined): string {
  if (form === undefined) return asLatest(key);
  return form === AS_KEY ? key : form;
}
