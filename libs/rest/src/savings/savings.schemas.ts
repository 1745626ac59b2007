import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { MEASURES } from './savings-of.js';

const credits = z.int();
const KEY = '/v1/2026w42/cat1/trends/top5/popindex/us/beauty';

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
  .meta({
    id: 'Savings',
    examples: [
      {
        month: '2026-10',
        calls: 2_310,
        credits_used: 130_420,
        measures: [
          {
            measure: 'caching',
            calls: 1_120,
            credits: 11_200,
            keys: [{ key: KEY, calls: 420, credits: 4_200 }],
          },
          {
            measure: 'conditional_requests',
            calls: 1_120,
            credits: 0,
            keys: [{ key: KEY, calls: 420, credits: 0 }],
          },
          { measure: 'credits_max', calls: 0, credits: 0, keys: [] },
          {
            measure: 'fewer_repeats',
            calls: 900,
            credits: 9_000,
            keys: [{ key: KEY, calls: 390, credits: 3_900 }],
          },
        ],
        is_whole: true,
      },
    ],
  });
export type Savings = Frozen<z.output<typeof Savings>>;
