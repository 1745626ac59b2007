/** A part of the data that live events make stale: the first part of a query's key. */
export type Topic =
  | 'session'
  | 'account'
  | 'windows'
  | 'calls'
  | 'disputes'
  | 'orders'
  | 'usage'
  | 'alerts'
  | 'budgets'
  | 'api-keys'
  | 'invoices'
  | 'quotes'
  | 'views';

/** Topics that each kind of event makes stale. `calls` means all but the live list itself. */
export const STALE_TOPICS: Readonly<Record<string, readonly Topic[]>> = {
  call: ['account', 'calls', 'budgets', 'usage', 'windows', 'quotes', 'invoices'],
  alert: ['alerts', 'budgets', 'account'],
  blocked: ['alerts', 'budgets', 'account'],
  budget: ['budgets', 'alerts', 'account'],
  api_key: ['api-keys'],
  credits: ['account', 'quotes', 'invoices', 'orders'],
  window: ['account', 'windows', 'usage', 'budgets', 'quotes', 'views'],
  clock: ['account', 'windows', 'usage', 'budgets', 'quotes', 'views', 'invoices'],
  invoice: ['invoices', 'orders'],
  disputes: ['disputes', 'calls'],
  orders: ['orders'],
  account: ['account', 'session'],
};

/** Reads that cost more are made less often while calls pour in. */
const INTERVAL_MS: Readonly<Partial<Record<Topic, number>>> = {
  usage: 3_000,
  windows: 3_000,
  quotes: 3_000,
  invoices: 5_000,
};

const SHORT_INTERVAL_MS = 400;

/** How long a topic rests after a refresh. */
export function intervalOf(topic: Topic): number {
  return INTERVAL_MS[topic] ?? SHORT_INTERVAL_MS;
}
