import { ok, page } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { STAFF_CHANGE, STAFF_READ } from '../operation/permissions.js';
import { EXCHANGE_RATES_QUERY, ExchangeRate, SetExchangeRate } from './exchange-rate.schemas.js';
import { ExchangeRates } from './exchange-rates.js';

const { read, change } = operationsOf<ExchangeRates>('Invoices');

const list = read({
  id: 'listExchangeRates',
  path: '/exchange-rates',
  summary: 'Exchange rates into the currency in which the seller owes tax',
  description: 'By currency and date; of each day the newest one that was set.',
  access: STAFF_READ,
  query: EXCHANGE_RATES_QUERY,
  answer: page(ExchangeRate),
  cli: {
    name: 'exchange-rate list',
    description: 'exchange rates by currency and date',
    example: '--currency USD',
    columns: ['currency', 'date', 'rate', 'tax_currency', 'source', 'set_at'],
  },
  run: async (rates, { query }) => ({ view: await rates.list(query) }),
});

const set = change({
  id: 'replaceExchangeRate',
  method: 'put',
  path: '/exchange-rates/{currency}/{date}',
  summary: 'Sets the exchange rate of a currency and day',
  description:
    "The value of one unit of the currency in the seller's `tax_currency`. It counts for invoices in that " +
    'currency whose tax point is that day or one of the 7 days after it without a newer rate. Those that ' +
    'are held for a lack of it are issued; what is issued keeps the rate that it states. 409 where the ' +
    'seller names no other currency.',
  access: STAFF_CHANGE,
  body: SetExchangeRate,
  answer: ok(ExchangeRate),
  cli: {
    name: 'exchange-rate set',
    description: 'set the value of one unit of a currency on a day',
    example: 'USD 2026-11-30 0.8652 ECB',
    arguments: ['rate', 'source'],
  },
  run: (rates, { path, change: made, body }) => rates.set(path, made, body),
});

/** Values of currencies in the one in which the seller owes tax. */
export const EXCHANGE_RATES: Resource = { service: ExchangeRates, operations: [list, set] };
