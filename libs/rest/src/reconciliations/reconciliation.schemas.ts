import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import type { Frozen } from '../operation/frozen.js';
import { inOrder, momentParameter, RFC_3339, TEXT } from '../usage/usage-queries.js';

const TOLERANCE_S = 5;
const TOLERANCE_S_MAX = 3_600;
const count = z.int().min(0);
const moment = z.iso.datetime();

const tolerance = z
  .string()
  .regex(/^\d{1,4}$/, `A whole number from 0 to ${TOLERANCE_S_MAX}`)
  .transform(Number)
  .refine((seconds) => seconds <= TOLERANCE_S_MAX, `A whole number from 0 to ${TOLERANCE_S_MAX}`)
  .default(TOLERANCE_S)
  .meta({
    description: 'How far the times of a row and its call may be apart.',
    schema: { type: 'integer', minimum: 0, maximum: TOLERANCE_S_MAX, default: TOLERANCE_S },
  });

/** How a log is matched, in the billing zone of a calendar. */
export function reconciliationQuery(calendar: Calendar) {
  const moment = momentParameter(calendar).optional();
  const from = `What is compared, from that moment on: ${RFC_3339}; unless given, from the earliest row.`;
  const to = `What is compared, before that moment: ${RFC_3339}; unless given, up to the latest row.`;
  return inOrder(
    z.strictObject({
      tolerance_seconds: tolerance,
      from: moment.meta({ description: from, schema: TEXT }),
      to: moment.meta({ description: to, schema: TEXT }),
    }),
  );
}
export type ReconciliationQuery = z.output<ReturnType<typeof reconciliationQuery>>;

/** A row or a call without the other, or both with what differs. */
export const LogDifference = z
  .strictObject({
    kind: z
      .enum(['missing_here', 'missing_there', 'different'])
      .meta({ description: '`here`: in the calls of the account, `there`: in the log.' }),
    in: z.array(z.enum(['credits', 'url', 'time'])).meta({ description: 'In what they differ.' }),
    line: z.int().nullable().meta({ description: 'Line of the log; null: it has none.' }),
    logged_at: moment.nullable(),
    logged_url: z.string().nullable(),
    logged_credits: z.int().nullable(),
    call_id: z.uuid().nullable().meta({ description: 'The call; null: there is none.' }),
    at: moment.nullable(),
    key: z.string().nullable(),
    credits: z.int().nullable(),
  })
  .meta({ id: 'LogDifference' });
export type LogDifference = Frozen<z.output<typeof LogDifference>>;

const SUMS = {
  id: z.uuid(),
  created_at: moment,
  rows: count.meta({ description: 'Rows of the log about calls that are charged.' }),
  ignored_rows: count.meta({
    description: 'Other rows: free or refused requests, and what is outside of the span.',
  }),
  calls: count.meta({
    description: 'Calls of the account in the span, and those that rows of it name.',
  }),
  matched: count,
  missing_here: count,
  missing_there: count,
  different: count,
  kept_differences: count.meta({
    description: 'How many differences are kept: the first 50,000 by their time.',
  }),
  tolerance_seconds: count,
  from: moment.nullable().meta({
    description:
      'From when on rows and calls were compared: as asked for, else the earliest row; null: there is none.',
  }),
  to: moment.nullable().meta({
    description:
      'Until when: before that moment as asked for, else the latest row; null: there is none.',
  }),
} as const;

/** How a log and the calls of an account agree, in sums. */
export const ReconciliationSums = z.strictObject(SUMS).meta({ id: 'ReconciliationSums' });
export type ReconciliationSums = Frozen<z.output<typeof ReconciliationSums>>;

/** The same with the first differences. */
export const Reconciliation = z
  .strictObject({
    ...SUMS,
    differences: z
      .array(LogDifference)
      .meta({ description: 'The first 1,000 by their time; as CSV all of them come.' }),
  })
  .meta({ id: 'Reconciliation' });
export type Reconciliation = Frozen<z.output<typeof Reconciliation>>;
