import { isMoment } from '../../format/days.js';
import { startOfDay } from '../../format/zones.js';
import type { CallFilter } from '../../rest/queries.js';

/** The search of the calls page's address: filter and order, and the call that is explained. */
export interface CallsSearch extends Omit<CallFilter, 'order'> {
  /** The oldest, or in the portal the most expensive first; else the newest. */
  readonly order?: 'asc' | 'credits';
  readonly call?: string;
}

const NAMES = [
  'from',
  'to',
  'resource_key',
  'resource',
  'region',
  'rule',
  'kind',
  'api_key_id',
  'tag',
  'account_id',
  'order',
  'call',
] as const;

/**
 * Reads the search of an address; unknown, wrong and empty members are left out. The router hands
 * on what its own reading has left out, so pages read it once more.
 */
export function readCallsSearch(search: Record<string, unknown>): CallsSearch {
  const found: Record<string, string> = {};
  for (const name of NAMES) {
    const value = search[name];
    if (typeof value === 'string' && value !== '') found[name] = value;
    if (typeof value === 'number') found[name] = String(value);
  }
  if (found.kind !== 'base' && found.kind !== 'repeat') delete found.kind;
  if (found.order !== 'asc' && found.order !== 'credits') delete found.order;
  for (const name of ['from', 'to'] as const) {
    if (!isMoment(found[name] ?? '')) delete found[name];
  }
  return found as CallsSearch;
}

/** A day of the billing zone as the moment at which it begins; a moment as it stands. */
export function startOf(at: string, billingZone: string): string {
  return /^\d{4}-\d{2}-\d{2}$/.test(at) ? startOfDay(at, billingZone) : at;
}

/** The filter with days as the moments at which they begin. */
export function withMoments<Filter extends CallFilter>(
  filter: Filter,
  billingZone: string,
): Filter {
  const { from, to } = filter;
  return {
    ...filter,
    ...(from !== undefined && { from: startOf(from, billingZone) }),
    ...(to !== undefined && { to: startOf(to, billingZone) }),
  };
}

/** The part of it that the list is filtered by. */
export function filterOf({ call: _explained, order: _shown, ...filter }: CallsSearch): CallFilter {
  return filter;
}

/** The order of a list that is read page by page: by time alone. */
export function timeOrder({ order }: CallsSearch): Pick<CallFilter, 'order'> {
  return order === 'asc' ? { order } : {};
}

/** The same in another order; in that order already, the newest first. */
export function inOrder({ order, ...search }: CallsSearch, next: 'asc' | 'credits'): CallsSearch {
  return order === next ? search : { ...search, order: next };
}
