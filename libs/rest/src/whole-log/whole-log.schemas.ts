import { z } from 'zod';
import type { Calendar } from '#calendar/calendar.js';
import { parseDate } from '#calendar/civil-date.js';
import { ALL_USAGE_DIMENSIONS } from '#projections/whole-log/usage-of-all.js';
import { LIST_QUERY, PAGE_QUERY } from '#web/query.js';
import { OF_ALL } from '../invoices/invoice-requests.js';
import { CALL_MATCH, dimensions, inOrder, usageQueries } from '../usage/usage-queries.js';
import { Call, Event, Usage } from '../usage/usage.schemas.js';

// Calls, sums and events of all accounts, in requests and in answers.

const accountId = z.uuid().meta({ description: 'The account.' });

/** A call of any account. */
export const AccountCall = Call.extend({
  account_id: accountId,
  account_name: z.string().nullable().meta({ description: 'Null: erased.' }),
}).meta({ id: 'AccountCall' });

/** Sums over accounts. */
export const AllUsage = Usage.omit({ api_key: true, key: true, tags: true })
  .extend({ account: z.uuid().optional().meta({ description: 'Id of the account.' }) })
  .meta({ id: 'AllUsage' });

/** An event of the whole log. */
export const LogEvent = Event.extend({
  account_id: accountId.nullable().meta({ description: 'The account; null: the service.' }),
}).meta({ id: 'LogEvent' });

/** The query of calls of all accounts. */
export function callsQuery(calendar: Calendar) {
  const { from, to } = usageQueries(calendar).calls.shape;
  return inOrder(z.strictObject({ ...LIST_QUERY, from, to, ...CALL_MATCH, ...OF_ALL }));
}
export type CallsQuery = z.output<ReturnType<typeof callsQuery>>;

/** The query of sums over all accounts, of whole days in the zone of a calendar. */
export function sumsQuery(calendar: Calendar) {
  const { resource, region, rule, kind } = CALL_MATCH;
  const date = z
    .string()
    .refine((text) => parseDate(text) !== undefined, 'A date like 2026-11-24')
    .transform((text) => calendar.startOfDate(text))
    .optional();
  const schema = { type: 'string', format: 'date' } as const;
  return inOrder(
    z.strictObject({
      ...LIST_QUERY,
      from: date.meta({ description: 'Calls from that day on.', schema }),
      to: date.meta({ description: 'Calls before that day.', schema }),
      by: dimensions(ALL_USAGE_DIMENSIONS),
      resource,
      region,
      rule,
      kind,
      test: OF_ALL.test,
    }),
  );
}
export type SumsQuery = z.output<ReturnType<typeof sumsQuery>>;

const EVENTS_MAX = 10_000;
const EVENTS = 1_000;

/** The query of the feed of events. */
export const FEED_QUERY = z.strictObject({
  after: PAGE_QUERY.after.meta({
    description: 'The place that the answer before ended at; without it from the first event on.',
    schema: { type: 'string' },
  }),
  limit: z
    .string()
    .regex(/^[1-9]\d{0,4}$/, `A whole number from 1 to ${EVENTS_MAX}`)
    .transform(Number)
    .refine((events) => events <= EVENTS_MAX, `A whole number from 1 to ${EVENTS_MAX}`)
    .default(EVENTS)
    .meta({
      description: 'Most events of the answer.',
      schema: { type: 'integer', minimum: 1, maximum: EVENTS_MAX, default: EVENTS },
    }),
});
export type FeedQuery = z.output<typeof FEED_QUERY>;
