import type { Column } from '#web/csv.js';
import type { Quote } from './quote.schemas.js';

export type QuoteItem = Quote['items'][number];

const OF_PRICES = [
  'key',
  'kind',
  'call_cost',
  'data_cost',
  'credits',
  'rule',
  'window',
  'window_ends_at',
  'next_window_credits',
] as const;

/** A quote as CSV: one line for each URL. */
export const QUOTE_COLUMNS: readonly Column<QuoteItem>[] = [
  { name: 'url', cell: (item) => item.url },
  ...OF_PRICES.map((name) => ({
    name,
    cell: (item: QuoteItem) => ('key' in item ? item[name] : null),
  })),
  {
    name: 'problem',
    cell: ({ problem }) => (problem && 'code' in problem ? String(problem['code']) : null),
  },
];
