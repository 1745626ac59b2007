import type { CallFilter } from '../../rest/queries.js';

/** What stands in the address of the page of calls: its filter, and the call that is explained. */
export interface CallsSearch extends CallFilter {
  readonly call?: string;
}

const NAMES = ['from', 'to', 'resource_key', 'kind', 'api_key_id', 'tag', 'call'] as const;

/** What is no member, or empty, is left out. */
export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  const found: Record<string, string> = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
    if (typeof value === 'number') found[name] = String(value);
  }
  if (found.kind !== 'base' && found.kind !== 'repeat') delete found.kind;
  return found as CallsSearch;
}

/** The part of it that the list is filtered by. */
export function filterOf({ call: _explained, ...filter }: CallsSearch): CallFilter {
  return filter;
}
