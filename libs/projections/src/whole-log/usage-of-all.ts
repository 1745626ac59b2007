import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Day } from '#calendar/window.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import type { Order } from '#web/query.js';
import { LEDGER } from '../projections/ledger.projection.js';
import { WINDOWS, WINDOWS_VERSION } from '../projections/windows.projection.js';
import { ANY_CALL } from '../usage/call-conditions.js';
import { mergeSums, placeOf, type SumsRow } from '../usage/sums-row.js';
import { usageQuery, type Bind, type CalledAccounts } from '../usage/usage-query.js';
import { inTime, usageView } from '../usage/usage-read.js';
import type { CallMatch, Page, UsageSums } from '../views/account-reads.js';
import { pageOf } from '../views/pages.js';

/** Dimensions of sums over all accounts. */
export const ALL_USAGE_DIMENSIONS = [
  'account',
  'day',
  'window',
  'month',
  'resource',
  'region',
  'rule',
  'kind',
] as const;

export type AllUsageDimension = (typeof ALL_USAGE_DIMENSIONS)[number];
export type AllUsageView = UsageSums & Readonly<Partial<Record<AllUsageDimension, string | null>>>;

/** Sums over whole days of the billing zone. */
export interface AllUsageFilter extends Pick<CallMatch, 'resource' | 'region' | 'rule' | 'kind'> {
  readonly by: readonly AllUsageDimension[];
  /** Starts of days, inclusive and exclusive, ms since 1970. */
  readonly from: number | null;
  readonly to: number | null;
  readonly test: boolean | null;
  readonly after: string | null;
  readonly limit: number;
  readonly order: Order;
}

/**
 * Accounts, those too that have no row yet, with how many of their events the rows of days hold.
 * The order keeps the lateral from becoming a join that reads all there is of some index.
 */
const REACHED = `
  select a.lane, a.account_id, coalesce(u.version, 0) as version
    from (select lane, account_id, (state ->> 'test')::boolean as test from ledger_account k
          union
          select e.lane, e.account_id, (e.data ->> 'test')::boolean
            from lane l
            left join checkpoint c on c.projection = '${LEDGER}' and c.lane = l.lane
           cross join lateral (
             select * from event
              where lane = l.lane and position > coalesce(c.position, 0)
                and type <> 'CallMade' and type = 'AccountOpened'
              order by position) e
           where l.position > coalesce(c.position, 0)) a
    left join checkpoint c on c.projection = '${WINDOWS}' and c.version = ${WINDOWS_VERSION}
          and c.lane = a.lane
    left join usage_reached u on c.lane is not null and u.lane = a.lane
          and u.account_id = a.account_id`;

/**
 * Sums of the calls of all accounts: rows of days, and what the log holds behind them. Throws
 * BadCursorError, and UsageTimeoutError where that is too much for one statement.
 */
export async function usageOfAll(
  client: pg.ClientBase,
  filter: AllUsageFilter,
  calendar: Calendar,
): Promise<Page<AllUsageView>> {
  const { by, after, limit, order, resource, region, rule, kind } = filter;
  const list = `all usage by ${by.join(',')}`;
  const place = after === null ? null : decodePlace(list, by.length, after);
  const byDay = by.includes('day') || by.includes('month');
  const { text, values } = usageQuery({
    accounts: (bind) => callsOfAccounts(filter, calendar, bind),
    by,
    match: { ...ANY_CALL, resource, region, rule, kind },
    days: byDay ? await daysBehind(client, filter, calendar) : [],
    after: place,
    limit: limit + 1,
    order,
  });
  const rows = await inTime(queryAllLanes<SumsRow>(client, { text, values: [...values] }));
  const view = (row: SumsRow): AllUsageView => usageView(row, by);
  const cursor = (row: SumsRow): string => encodePlace(list, placeOf(row, by));
  return pageOf(mergeSums(rows, by, order), limit, view, cursor);
}

function callsOfAccounts(filter: AllUsageFilter, calendar: Calendar, bind: Bind): CalledAccounts {
  const { from, to } = filter;
  const day = (at: number): string => bind(calendar.dayAt(at).label);
  const conditions = [
    'r.version > 0',
    ...(from === null ? [] : [`d.day >= ${day(from)}`]),
    ...(to === null ? [] : [`d.day < ${day(to)}`]),
  ];
  return {
    before: reachedBy(filter, bind),
    days: { from: 'reached r join day_usage d using (lane, account_id)', conditions },
    calls: tailOf(filter, bind),
  };
}

function reachedBy({ test }: AllUsageFilter, bind: Bind): string {
  return `with reached as (${REACHED} ${test === null ? '' : `where a.test = ${bind(test)}`})`;
}
/** Calls behind those of the rows, as `e`. */
function tailOf({ from, to }: Pick<AllUsageFilter, 'from' | 'to'>, bind: Bind): string {
  const moment = (ms: number): string => `to_timestamp(${bind(ms)}::bigint / 1000.0)`;
  return `reached r
          cross join lateral (
            select e.* from event e
             where e.lane = r.lane and e.account_id = r.account_id
               and e.account_version > r.version and e.type = 'CallMade'
               ${from === null ? '' : `and e.at >= ${moment(from)}`}
               ${to === null ? '' : `and e.at < ${moment(to)}`}) e`;
}

/** Days of the calls behind those of the rows, ascending. */
async function daysBehind(
  client: pg.ClientBase,
  filter: AllUsageFilter,
  calendar: Calendar,
): Promise<readonly Day[]> {
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const text = `${reachedBy(filter, bind)} select (extract(epoch from min(e.at)) * 1000)::int8 as first,
    (extract(epoch from max(e.at)) * 1000)::int8 as last from ${tailOf(filter, bind)}`;
  const rows = await inTime(
    queryAllLanes<{ first: number | null; last: number | null }>(client, { text, values }),
  );
  const firsts = rows.flatMap(({ first }) => first ?? []);
  const last = Math.max(...rows.flatMap((row) => row.last ?? []));
  const days: Day[] = [];
  for (let at = Math.min(...firsts); at <= last; at = days.at(-1)?.endsAt ?? Infinity) {
    days.push(calendar.dayAt(at));
  }
  return days;
}
