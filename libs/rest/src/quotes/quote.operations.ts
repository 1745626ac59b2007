import { csvTable } from '#web/csv.js';
import { sending } from '../operation/answer.js';
import { exampleOf } from '../operation/examples.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { QUOTE_COLUMNS } from './quote-columns.js';
import { Quote, QuoteRequest } from './quote.schemas.js';
import { Quotes } from './quotes.js';

/** URLs of a quote that count as one request. */
const URLS_COUNTED = 20;

const { read } = operationsOf<Quotes>('Data');

const quote = read({
  id: 'quote',
  method: 'post',
  path: '/accounts/{account_id}/quotes',
  summary: 'Prices of calls, as if they were made in this order',
  description:
    'Takes 1 to 1000 paths or absolute URLs. Each is priced as if those before it had been called ' +
    'and paid, also where the funds are short; `shortfall_credits` is what they lack. A URL that ' +
    'is wrong gets its own problem and fails no other. Free: nothing is charged. It counts ' +
    'as one request of the rate limit for each 20 URLs.',
  access: { session: 'viewer', scope: 'data' },
  body: QuoteRequest,
  requestsOf,
  answer: sending(Quote, ['text/csv'], {
    'text/csv': csvTable(QUOTE_COLUMNS, exampleOf(Quote).items),
  }),
  problems: ['account-suspended'],
  run: (quotes, { body }) => ({ view: quotes.price(body) }),
});

/** One for each 20 URLs. What is no quote counts as one. */
function requestsOf(body: unknown): number {
  const { urls } = Object(body) as { readonly urls?: unknown };
  return Array.isArray(urls) ? Math.max(1, Math.ceil(urls.length / URLS_COUNTED)) : 1;
}

/** Prices of calls that are not made. */
export const QUOTES: Resource = { service: Quotes, operations: [quote] };
