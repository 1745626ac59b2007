import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { Page } from '#client/listing.js';
import type { Read } from '#client/operations.js';
import { read } from './request.js';

const PAGE_ROWS = 50;
const PAGE_MAX = 1000;
const PAGES_MAX = 20;

/** Paths whose answers change with those of others. */
const TOPICS: Readonly<Record<string, string>> = {
  forecast: 'account',
  prices: 'account',
  'credit-notes': 'invoices',
  receivables: 'invoices',
  statements: 'invoices',
};

/** A query's key. Its first part is what live events name when they make it stale. */
function keyOf({ id, path, query }: Read<unknown>, form: string): readonly unknown[] {
  const [, , , name = ''] = path.split('/');
  return [TOPICS[name] ?? name, id, form, path, query];
}

/** One answer. */
export function one<Answer>(of: Read<Answer>) {
  return queryOptions({
    queryKey: keyOf(of, 'one'),
    queryFn: ({ signal }) => read(of, signal),
  });
}

/** A list that is read page by page; its rows stay visible until the next ones have arrived. */
export function pages<Item>(of: Read<Page<Item>>) {
  return infiniteQueryOptions({
    queryKey: keyOf(of, 'pages'),
    queryFn: ({ pageParam, signal }) => read(pageAfter(of, pageParam), signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  });
}

/** The page of a list behind a cursor. */
export function pageAfter<Item>(of: Read<Page<Item>>, after: string | null): Read<Page<Item>> {
  return { ...of, query: { limit: PAGE_ROWS, ...of.query, after } };
}

/** A list as far as it was read. */
export interface Whole<Item> {
  readonly items: readonly Item[];
  /** Whether there are no more. */
  readonly isWhole: boolean;
}

/** A list up to its end, or as far as it is read. */
export async function readWhole<Item>(
  of: Read<Page<Item>>,
  signal: AbortSignal,
  pagesMax = PAGES_MAX,
): Promise<Whole<Item>> {
  const items: Item[] = [];
  let after: string | null = null;
  for (let page = 0; page < pagesMax; page += 1) {
    const given: Read<Page<Item>> = { ...of, query: { limit: PAGE_MAX, ...of.query, after } };
    const answer: Page<Item> = await read(given, signal);
    items.push(...answer.items);
    after = answer.next;
    if (after === null) return { items, isWhole: true };
  }
  return { items, isWhole: false };
}

/** All of a list that is known to be short. */
export function all<Item>(of: Read<Page<Item>>) {
  return queryOptions({
    queryKey: keyOf(of, 'all'),
    queryFn: async ({ signal }) => (await readWhole(of, signal)).items,
  });
}
