import type { InfiniteData, QueryClient, QueryKey } from '@tanstack/react-query';
import type { Call, Page } from '../rest/answers.js';
import { listedCalls, type CallFilter } from '../rest/queries.js';
import { read } from '../rest/request.js';

function isTagged(call: Call, tag: string): boolean {
  const [name = '', value] = tag.split('=');
  const found = call.tags?.[name];
  return found !== undefined && (value === undefined || found === value);
}

/** Whether a list with this filter holds the call. Moments with a zone compare as instants. */
export function isInList(call: Call, filter: CallFilter): boolean {
  const at = Date.parse(call.at);
  if (filter.from !== undefined && at < Date.parse(filter.from)) return false;
  if (filter.to !== undefined && at >= Date.parse(filter.to)) return false;
  if (filter.resource_key !== undefined && call.key !== filter.resource_key) return false;
  if (filter.kind !== undefined && call.kind !== filter.kind) return false;
  if (filter.api_key_id !== undefined && call.api_key_id !== filter.api_key_id) return false;
  return filter.tag === undefined || isTagged(call, filter.tag);
}

/** Whether a call does not say by itself if it is in a list with this filter. */
function needsService({ resource, region, rule }: CallFilter): boolean {
  return resource !== undefined || region !== undefined || rule !== undefined;
}

/** A list, newest first, with calls that came in: each once, whatever arrives twice. */
export function withNewCalls(listed: readonly Call[], news: readonly Call[]): readonly Call[] {
  const known = new Set(listed.slice(0, news.length + 1_000).map((call) => call.call_id));
  const added = news.filter((call) => !known.has(call.call_id));
  return added.length === 0 ? listed : [...added.toReversed(), ...listed];
}

/** Puts calls, oldest first, into every list of calls that is shown: on top, or at its end. */
export function addLiveCalls(client: QueryClient, news: readonly Call[]): void {
  const lists = client.getQueryCache().findAll({ queryKey: ['calls', 'list'] });
  for (const { queryKey } of lists) {
    const filter = queryKey[2] as CallFilter;
    if (filter.order === 'asc') {
      readOn(client, queryKey);
      continue;
    }
    if (needsService(filter)) {
      void client.invalidateQueries({ queryKey });
      continue;
    }
    const fitting = news.filter((call) => isInList(call, filter));
    if (fitting.length === 0) continue;
    client.setQueryData<InfiniteData<Page<Call>>>(queryKey, (data) => {
      const [first, ...others] = data?.pages ?? [];
      if (data === undefined || first === undefined) return data;
      const items = withNewCalls(first.items, fitting);
      return { ...data, pages: [{ ...first, items }, ...others] };
    });
  }
}

/** A list with its oldest calls first holds new ones only once it is read to its end. */
function readOn(client: QueryClient, queryKey: QueryKey): void {
  const last = client.getQueryData<CallPages>(queryKey)?.pages.at(-1);
  if (last?.next === null) void client.invalidateQueries({ queryKey });
}

type CallPages = InfiniteData<Page<Call>, string | null>;

/** A list with its newest page refreshed: joined where they overlap, else started again there. */
export function joinedWithHead(data: CallPages, head: Page<Call>): CallPages {
  const [first, ...others] = data.pages;
  const known = new Set(first?.items.map((call) => call.call_id));
  if (first === undefined || !head.items.some((call) => known.has(call.call_id))) {
    return { pages: [head], pageParams: [null] };
  }
  const items = withNewCalls(first.items, head.items.toReversed());
  return { ...data, pages: [{ ...first, items }, ...others] };
}

/** After a break: reads only what may be new, however far down somebody has read. */
export async function catchUpCalls(client: QueryClient): Promise<void> {
  const lists = client.getQueryCache().findAll({ queryKey: ['calls', 'list'], type: 'active' });
  for (const { queryKey } of lists) {
    const [, , filter, limit] = queryKey as readonly [string, string, CallFilter, number];
    if (filter.order === 'asc') {
      readOn(client, queryKey);
      continue;
    }
    const head = await read(listedCalls(filter, limit));
    client.setQueryData<CallPages>(queryKey, (data) => data && joinedWithHead(data, head));
  }
}
