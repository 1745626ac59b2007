import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type {
  Account,
  ApiKey,
  Budget,
  BudgetAlert,
  Call,
  Delivery,
  Dispute,
  Dimension,
  Explanation,
  Forecast,
  Member,
  Membership,
  OwnSession,
  Page,
  Prices,
  RefusedCall,
  Savings,
  Session,
  TriedBudget,
  Usage,
  Webhook,
  WindowKey,
} from './answers.js';
import { change, query, read } from './request.js';

export const PORTAL = '/portal/v1';

/** The first part of a query's key is what live events name when they make it stale. */
export type Topic =
  | 'session'
  | 'sessions'
  | 'members'
  | 'memberships'
  | 'account'
  | 'windows'
  | 'calls'
  | 'refusals'
  | 'disputes'
  | 'reconciliations'
  | 'usage'
  | 'alerts'
  | 'budgets'
  | 'api-keys'
  | 'webhooks'
  | 'deliveries'
  | 'invoices'
  | 'quotes'
  | 'views';

const PAGE_MAX = 1000;
/** They are written beside the calls: no event reports them. */
const REFUSALS_MS = 5_000;

/** A list as far as it was read. */
export interface Whole<Item> {
  readonly items: readonly Item[];
  /** Whether there are no more. */
  readonly isWhole: boolean;
}

const PAGES_MAX = 20;

async function readPages<Item>(path: string, signal: AbortSignal): Promise<Whole<Item>> {
  const items: Item[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const mark: string = path.includes('?') ? '&' : '?';
    const next: string = after === null ? '' : `&after=${encodeURIComponent(after)}`;
    const answer: Page<Item> = await read(`${path}${mark}limit=${PAGE_MAX}${next}`, signal);
    items.push(...answer.items);
    after = answer.next;
    if (after === null) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}

/** All of a list that is known to be short. */
export async function readAll<Item>(path: string, signal: AbortSignal): Promise<readonly Item[]> {
  return (await readPages<Item>(path, signal)).items;
}

export type Filter = Readonly<Record<string, string | number | null | undefined>>;

/** A list that is read page by page. The first part of its key is what makes it stale. */
export function listQuery<Item>(key: readonly unknown[], path: string, filter: Filter) {
  return infiniteQueryOptions({
    queryKey: key,
    queryFn: ({ pageParam, signal }) =>
      read<Page<Item>>(`${path}${query({ ...filter, after: pageParam })}`, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => read<Session>(`${PORTAL}/session`, signal),
  staleTime: Infinity,
});

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: ({ signal }) => read<Account>(`${PORTAL}/account`, signal),
});

export const forecastQuery = queryOptions({
  queryKey: ['account', 'forecast'],
  queryFn: ({ signal }) => read<Forecast>(`${PORTAL}/forecast`, signal),
});

export const pricesQuery = queryOptions({
  queryKey: ['account', 'prices'],
  queryFn: ({ signal }) => read<Prices>(`${PORTAL}/prices`, signal),
});

export function savingsQuery(month: string) {
  return queryOptions({
    queryKey: ['savings', month],
    queryFn: ({ signal }) => read<Savings>(`${PORTAL}/savings${query({ month })}`, signal),
  });
}

export const budgetsQuery = queryOptions({
  queryKey: ['budgets'],
  queryFn: ({ signal }) => readAll<Budget>(`${PORTAL}/budgets`, signal),
});

/** A limit that is tried on calls that were made. */
export interface TriedLimit {
  readonly period: 'month' | 'window';
  readonly limit_credits: number;
  readonly api_key_id: string | null;
}

export function triedBudgetQuery(limit: TriedLimit) {
  return queryOptions({
    queryKey: ['tried-limits', limit],
    queryFn: () => change<TriedBudget>('POST', `${PORTAL}/budgets/preview`, limit),
    placeholderData: keepPreviousData,
  });
}

export function refusalsQuery(code: string | null) {
  return {
    ...listQuery<RefusedCall>(['refusals', code], `${PORTAL}/refusals`, { limit: 100, code }),
    refetchInterval: REFUSALS_MS,
  };
}

export const disputesQuery = listQuery<Dispute>(['disputes'], `${PORTAL}/disputes`, { limit: 100 });

export function callDisputesQuery(callId: string) {
  return queryOptions({
    queryKey: ['disputes', callId],
    queryFn: ({ signal }) =>
      readAll<Dispute>(`${PORTAL}/disputes${query({ call_id: callId })}`, signal),
  });
}

export const alertsQuery = queryOptions({
  queryKey: ['alerts'],
  queryFn: ({ signal }) => readAll<BudgetAlert>(`${PORTAL}/alerts`, signal),
});

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => readAll<ApiKey>(`${PORTAL}/api-keys`, signal),
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => readAll<OwnSession>(`${PORTAL}/sessions`, signal),
});

export const membersQuery = queryOptions({
  queryKey: ['members'],
  queryFn: ({ signal }) => readAll<Member>(`${PORTAL}/members`, signal),
});

/** Accounts that whoever is signed in may open. */
export const membershipsQuery = queryOptions({
  queryKey: ['memberships'],
  queryFn: async ({ signal }) =>
    (await read<{ items: readonly Membership[] }>(`${PORTAL}/session/accounts`, signal)).items,
  staleTime: Infinity,
});

export const webhooksQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => readAll<Webhook>(`${PORTAL}/webhooks`, signal),
});

export function deliveriesQuery(webhookId: string, status: string) {
  const path = `${PORTAL}/webhooks/${webhookId}/deliveries`;
  const filter = { order: 'desc', limit: 50, status };
  return listQuery<Delivery>(['deliveries', webhookId, status], path, filter);
}

export function usageQuery(by: readonly Dimension[], from: string | null, to: string | null) {
  return queryOptions({
    queryKey: ['usage', by.join(','), from, to],
    queryFn: ({ signal }) =>
      readPages<Usage>(`${PORTAL}/usage${query({ by: by.join(','), from, to })}`, signal),
    placeholderData: keepPreviousData,
  });
}

export interface CallFilter {
  readonly from?: string;
  readonly to?: string;
  readonly resource_key?: string;
  readonly resource?: string;
  readonly region?: string;
  readonly rule?: string;
  readonly kind?: 'base' | 'repeat';
  readonly api_key_id?: string;
  readonly tag?: string;
  /** For operators. */
  readonly account_id?: string;
  /** Oldest first; else newest first. */
  readonly order?: 'asc';
}

export function callsPath(filter: CallFilter, limit: number, after: string | null): string {
  return `${PORTAL}/calls${query({ order: 'desc', limit, after, ...filter })}`;
}

export function callsQuery(filter: CallFilter, limit = 200) {
  return infiniteQueryOptions({
    queryKey: ['calls', 'list', filter, limit],
    // The table stays, and the focus in it, while another order is read.
    placeholderData: keepPreviousData,
    queryFn: ({ pageParam, signal }) =>
      read<Page<Call>>(callsPath(filter, limit, pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
  });
}

export function latestCallsQuery(limit: number) {
  return queryOptions({
    queryKey: ['calls', 'latest', limit],
    queryFn: ({ signal }) => read<Page<Call>>(callsPath({}, limit, null), signal),
  });
}

export function explanationQuery(callId: string) {
  return queryOptions({
    queryKey: ['calls', 'explanation', callId],
    queryFn: ({ signal }) => read<Explanation>(`${PORTAL}/calls/${callId}`, signal),
  });
}

function dearestPath(label: string, limit: number): string {
  return `${PORTAL}/windows${query({ window: label, order: 'credits', limit })}`;
}

/** The keys of a window that cost most. */
export function dearestKeysQuery(label: string, limit: number) {
  return queryOptions({
    queryKey: ['windows', label, 'dearest', limit],
    queryFn: ({ signal }) => read<Page<WindowKey>>(dearestPath(label, limit), signal),
  });
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
      const sums = `${PORTAL}/usage${query({ by: 'window,kind', from })}`;
      const [known, ...pages] = await Promise.all([
        readAll<Usage>(sums, signal),
        ...past.map((label) => client.ensureQueryData(dearestKeysQuery(label, PAGE_MAX))),
        read<Page<WindowKey>>(dearestPath(running, PAGE_MAX), signal),
      ]);
      const items = pages.flatMap((page) => page.items);
      return { items, isWhole: pages.every(({ next }) => next === null), sums: known };
    },
    placeholderData: keepPreviousData,
  });
}

export function windowKeysQuery(label: string) {
  const filter = { window: label, limit: 200 };
  return listQuery<WindowKey>(['windows', label], `${PORTAL}/windows`, filter);
}
