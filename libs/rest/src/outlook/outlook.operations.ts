import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ } from '../operation/permissions.js';
import { Forecast, Prices } from './outlook.schemas.js';
import { Outlooks } from './outlook.js';

const { read } = operationsOf<Outlooks>('Accounts');

const forecast = read({
  id: 'getForecast',
  path: '/accounts/{account_id}/forecast',
  summary: 'What an account is expected to spend, day by day',
  description:
    'By the calendar: in each window the first calls of the last one, at the prices that are ' +
    'announced, and the repeats that its days have seen.',
  access: ACCOUNT_READ,
  answer: ok(Forecast),
  cli: {
    name: 'account forecast',
    description: 'what an account is expected to spend',
    example: 'Acme --json',
  },
  run: async (outlooks, { path }) => ({ view: await outlooks.forecast(path.account_id) }),
});

const prices = read({
  id: 'getPrices',
  path: '/accounts/{account_id}/prices',
  summary: 'The prices of an account, and those that are announced',
  description:
    'The rate card in force, the next one with its differences, and what a week of the account ' +
    'costs by both.',
  access: ACCOUNT_READ,
  answer: ok(Prices),
  cli: {
    name: 'account prices',
    description: 'the prices of an account, and those that are announced',
    example: 'Acme --json',
  },
  run: async (outlooks, { path }) => ({ view: await outlooks.prices(path.account_id) }),
});

/** Spending and prices to come. */
export const OUTLOOK: Resource = { service: Outlooks, operations: [forecast, prices] };
