import { CALLS, EXPLANATION, GRANT_CALLS, SUMS, WINDOW_KEYS } from '#rest/usage/usage.examples.js';
import { ACCOUNT_EXAMPLE } from '#rest/accounts/account.examples.js';
import type { ResourceName } from '#rating/resource.js';
import { BRANDS, TRENDS } from './examples/listings.js';
import { QUOTE, QUOTE_REQUEST } from '#rest/quotes/quote.examples.js';
import { RELATED_TRENDS } from './examples/related-trends.js';
import { TIME_SERIES } from './examples/time-series.js';

/** Answers that were really given; a test asks for them again and compares. */
export const EXAMPLES = {
  metered: {
    'related-trends': RELATED_TRENDS,
    timeseries: TIME_SERIES,
    trends: TRENDS,
    brands: BRANDS,
  } satisfies Readonly<Record<ResourceName, { readonly key: string }>>,
  account: {
    ...ACCOUNT_EXAMPLE,
    api_key: {
      id: '00000000-0000-4000-9000-000000000001',
      scopes: ['data', 'account:read'],
      expires_at: null,
    },
  },
  windows: WINDOW_KEYS,
  usage: SUMS,
  grantCalls: GRANT_CALLS,
  calls: CALLS,
  explanation: EXPLANATION,
  quoteRequest: QUOTE_REQUEST,
  quote: QUOTE,
};
