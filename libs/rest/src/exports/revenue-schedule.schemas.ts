import { z } from 'zod';
import { monthField } from '#web/body-fields.js';
import { TEST_ACCOUNTS } from './export.schemas.js';
import { monthsBetween } from './revenue-schedules.js';

const MONTH = { type: 'string', pattern: '^\\d{4}-\\d{2}$' } as const;
const MONTHS_MAX = 36;
const amount = z.int();

/** The query of the revenue schedule. */
export const SCHEDULE_QUERY = z
  .strictObject({
    from: monthField.meta({ description: 'First month.', schema: MONTH, example: '2026-10' }),
    to: monthField.meta({
      description: `Last month; at most ${MONTHS_MAX} in all.`,
      schema: MONTH,
      example: '2026-12',
    }),
    test: TEST_ACCOUNTS,
  })
  .refine(({ from, to }) => from <= to && monthsBetween(from, to).length <= MONTHS_MAX, {
    path: ['to'],
    message: `Not before \`from\`, and at most ${MONTHS_MAX} months in all`,
  });

/** Revenue of purchased credits by month and currency. */
export const RevenueSchedule = z
  .strictObject({
    breakage_percent: z
      .number()
      .meta({ description: "The seller's, as it is now: what `expected_breakage` is by." }),
    items: z.array(
      z.strictObject({
        month: z.string(),
        currency: z.string(),
        final: z.boolean().meta({ description: 'Whether the month has ended.' }),
        opening: amount.meta({ description: 'Deferred at its start, net in minor units.' }),
        sold: amount,
        refunded: amount,
        used: amount.meta({ description: 'Recognised, because credits were used.' }),
        breakage: amount.meta({ description: 'Recognised: credits expired or were forfeited.' }),
        closing: amount.meta({ description: 'Deferred at its end.' }),
        closed_accounts: amount.meta({ description: 'Of `closing` the part of closed accounts.' }),
        recognised: amount.meta({ description: '`used` and `breakage`.' }),
        expected_breakage: amount.meta({ description: 'An estimate, in no journal.' }),
      }),
    ),
  })
  .meta({ id: 'RevenueSchedule' });
