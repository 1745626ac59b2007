import { z } from 'zod';
import { monthField } from '#web/body-fields.js';
import { ok } from '../operation/answer.js';
import { operationsOf, type Resource } from '../operation/operation.js';
import { ACCOUNT_READ } from '../operation/permissions.js';
import { SavingsReads } from './savings.js';
import { Savings } from './savings.schemas.js';

const { read } = operationsOf<SavingsReads>('Usage');

const savings = read({
  id: 'getSavings',
  path: '/accounts/{account_id}/savings',
  summary: 'Credits of a month that other ways of calling would have saved',
  description:
    'By caching answers until their week ends, by conditional requests, by `Credits-Max` for data ' +
    'that has not changed since the week before, and by fewer repeats, with the keys behind ' +
    'each. They overlap: do not add them up.',
  access: ACCOUNT_READ,
  query: z.strictObject({
    month: monthField
      .optional()
      .meta({ description: 'The month; the last one that is over unless given.' }),
  }),
  answer: ok(Savings),
  cli: {
    name: 'account savings',
    description: 'credits that other ways of calling would have saved',
    example: 'Acme --month 2026-10',
  },
  run: async (reads, { path, query }) => ({ view: await reads.of(path.account_id, query.month) }),
});

/** Savings of accounts. */
export const SAVINGS: Resource = { service: SavingsReads, operations: [savings] };
