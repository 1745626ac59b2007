import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { MEASURES } from './savings-of.js';

const credits = z.int();

/** Calls and credits of a month that other ways of calling would have saved. */
export const Savings = z
  .strictObject({
    month: z.string().regex(/^\d{4}-\d{2}$/),
    calls: z.int(),
    credits_used: credits,
    measures: z.array(
      z.strictObject({
        measure: z.enum(MEASURES).meta({
          id: 'SavingMeasure',
          description:
            '`caching`: keep an answer until its week ends, which saves every repeat. ' +
            '`conditional_requests`: `If-None-Match` saves the transfer, and no credits. ' +
            '`credits_max`: `Credits-Max: 10` leaves out first calls for data that has not changed ' +
            'since the week before. `fewer_repeats`: a URL at most once a day; part of `caching`.',
        }),
        calls: z.int(),
        credits,
        keys: z
          .array(z.strictObject({ key: z.string(), calls: z.int(), credits }))
          .meta({ description: 'The 50 most expensive ones.' }),
      }),
    ),
    is_whole: z.boolean().meta({
      description: 'False: there are more than 100,000 sums, and only those were looked at.',
    }),
  })
  .meta({ id: 'Savings' });
export type Savings = Frozen<z.output<typeof Savings>>;
