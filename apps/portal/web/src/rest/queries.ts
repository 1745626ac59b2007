import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { isProblem } from '#client/problem-error.js';
import type {
  Call,
  CallKind,
  Catalog,
  Category,
  Dimension,
  Page,
  RefusalCode,
  Region,
  ResourceName,
  SoldData,
  TryBudget,
  Usage,
  View,
  WindowKey,
} from './answers.js';
import { portal } from './portal.js';
import { all, one, pageAfter, pages, readWhole, type Whole } from './reads.js';
import { read, send } from './request.js';

// Reads of the portal that are more than one operation, or that live events treat by themselves.

const PAGE_MAX = 1000;
/** They are written beside the calls: no event reports them. */
const REFUSALS_MS = 5_000;

export const sessionQuery = { ...one(portal.getSession()), staleTime: Infinity };

export const accountQuery = one(portal.getAccount());

/** Accounts that whoever is signed in may open. */
export const membershipsQuery = { ...all(portal.listMemberships()), staleTime: Infinity };

/** A limit that is tried on calls that were made. */
export function triedBudgetQuery(limit: TryBudget) {
  return queryOptions({
    queryKey: ['tried-limits', limit],
    queryFn: () => send(portal.tryBudget(), limit),
    placeholderData: keepPreviousData,
  });
}

export function refusalsQuery(code: RefusalCode | null) {
  return { ...pages(portal.listRefusals({ limit: 100, code })), refetchInterval: REFUSALS_MS };
}

export function usageQuery(by: readonly Dimension[], from: string | null, to: string | null) {
  return queryOptions({
    queryKey: ['usage', by.join(','), from, to],
    queryFn: ({ signal }) => readWhole(portal.sumUsage({ by: by.join(','), from, to }), signal),
    placeholderData: keepPreviousData,
  });
}

export interface CallFilter {
  readonly from?: string;
  readonly to?: string;
  readonly resource_key?: string;
  readonly resource?: ResourceName;
  readonly region?: Region;
  readonly rule?: string;
  readonly kind?: CallKind;
  readonly api_key_id?: string;
  readonly tag?: string;
  /** For operators. */
  readonly account_id?: string;
  /** Oldest first; else newest first. */
  readonly order?: 'asc';
}

/** The sum of the calls with a filter. */
export function callSumQuery({ account_id: _all, order: _shown, ...filter }: CallFilter) {
  return queryOptions({
    queryKey: ['usage', 'sum', filter],
    queryFn: async ({ signal }) => (await read(portal.sumUsage(filter), signal)).items[0],
    placeholderData: keepPreviousData,
  });
}

/** Calls that are sorted by their credits: the newest ones, as many as a page can hold. */
export const SORTED_MAX = 5_000;

/** Calls with a filter, the most expensive first. */
export function dearestCallsQuery(filter: CallFilter) {
  return infiniteQueryOptions({
    queryKey: ['usage', 'calls', filter],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }): Promise<Page<Call>> => {
      const calls = listedCalls(filter, PAGE_MAX);
      const { items } = await readWhole(calls, signal, SORTED_MAX / PAGE_MAX);
      return {
        items: items.toSorted((one, other) => other.credits_used - one.credits_used),
        next: null,
      };
    },
    initialPageParam: null,
    getNextPageParam: () => null,
  });
}

/** Calls with this filter, newest first unless it says otherwise. */
export function listedCalls({ account_id: _all, ...filter }: CallFilter, limit: number) {
  return portal.listCalls({ order: 'desc', limit, ...filter });
}

export function callsQuery(filter: CallFilter, limit = 200) {
  return infiniteQueryOptions({
    queryKey: ['calls', 'list', filter, limit],
    // The table stays, and the focus in it, while another order is read.
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      read<Page<Call>>(pageAfter(listedCalls(filter, limit), pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

/** The keys of a window that cost most. */
export function dearestKeysQuery(window: string, limit: number) {
  return one(portal.listWindows({ window, order: 'credits', limit }));
}

/** Usage of some windows: the most expensive keys of each, and sums by window and kind. */
export interface CalledWindows extends Whole<WindowKey> {
  readonly sums: readonly Usage[];
}

/** Past windows, which do not change, are read once; the running one with every call. */
export function calledWindowsQuery(past: readonly string[], running: string, from: string) {
  return queryOptions({
    queryKey: ['windows', running, 'called', from],
    queryFn: async ({ client, signal }): Promise<CalledWindows> => {
      const dearest = { window: running, order: 'credits', limit: PAGE_MAX } as const;
      const [known, ...keys] = await Promise.all([
        readWhole(portal.sumUsage({ by: 'window,kind', from }), signal),
        ...past.map((label) => client.ensureQueryData(dearestKeysQuery(label, PAGE_MAX))),
        read(portal.listWindows(dearest), signal),
      ]);
      const items = keys.flatMap((page) => page.items);
      return { items, isWhole: keys.every(({ next }) => next === null), sums: known.items };
    },
    placeholderData: keepPreviousData,
  });
}

/** Categories, each behind the one above it. */
export const categoriesQuery = queryOptions({
  queryKey: ['catalog', 'categories'],
  queryFn: async ({ signal }) =>
    (await readWhole(portal.listCatalog({ level: 'category' }), signal))
      .items as readonly Category[],
  staleTime: Infinity,
});

/** The categories, which may be known already, and groups of related trends. */
export const catalogQuery = queryOptions({
  queryKey: ['catalog', 'all'],
  queryFn: async ({ client, signal }): Promise<Catalog> => {
    const [categories, groups] = await Promise.all([
      client.ensureQueryData(categoriesQuery),
      readWhole(portal.listCatalogGroups(), signal),
    ]);
    return { categories, groups: groups.items.map(({ slug }) => slug) };
  },
  staleTime: Infinity,
});

export function brandsNamed(search: string) {
  const brands = portal.listCatalog({ level: 'brand', search, limit: 20 });
  return { ...one(brands), staleTime: Infinity };
}

/** One brand by its id, as a list of one or none. */
export function brandOf(id: string) {
  return { ...one(portal.listCatalog({ level: 'brand', id })), staleTime: Infinity };
}

export function quoteQuery(urls: readonly string[]) {
  return queryOptions({
    queryKey: ['quotes', ...urls],
    queryFn: () => send(portal.quote(), { urls }),
    enabled: urls.length > 0,
  });
}

/** A view with its data as the pages show them. */
export interface ShownView extends Omit<View, 'data' | 'unchanged_since'> {
  readonly unchanged_since: string | null;
  readonly data: SoldData;
}

/** The data if it is paid for in this window; else its price. */
export type Look =
  | { readonly paid: true; readonly view: ShownView }
  | { readonly paid: false; readonly credits: number };

export function viewQuery(path: string) {
  return queryOptions({
    queryKey: ['views', path],
    queryFn: async ({ signal }): Promise<Look> => {
      try {
        const view = await read(portal.view({ path }), signal);
        return { paid: true, view: view as ShownView };
      } catch (error) {
        if (!isProblem(error, 'price-above-maximum')) throw error;
        return { paid: false, credits: Number(error.members['required_credits']) };
      }
    },
    // What is paid does not change within its window, and looks are limited.
    staleTime: 5 * 60_000,
    // A part of the page that appears with a refusal would ask again, be refused again, and so on.
    retryOnMount: false,
  });
}
