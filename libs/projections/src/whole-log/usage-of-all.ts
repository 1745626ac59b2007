import type { UsageDimension } from '../views/usage-dimension.js';
import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Day } from '#calendar/window.js';
import { momentArray } from '#event-log/binary-array.js';
import { LEDGER } from '../projections/ledger.projection.js';
import { sumsOfDay } from '../projections/sums-of-day.js';
import { WINDOWS, WINDOWS_VERSION } from '../projections/windows.projection.js';
import { ANY_CALL, CALL_RECORD, onCall, onDay } from '../usage/call-conditions.js';
import { ofCall, ofRow, type DimensionParameters } from '../usage/usage-dimensions.js';
import { inTime } from '../usage/usage-read.js';
import type { CallMatch, Page, UsageSums } from '../views/account-reads.js';
import { comparisonFor, pageOf } from '../views/pages.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import type { Order } from '#web/query.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';

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

type Row = UsageSums & Readonly<Record<`d${number}`, string | null>>;
type Bind = (value: unknown) => string;

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
  const { by, after, limit } = filter;
  const list = `all usage by ${by.join(',')}`;
  const place = after === null ? null : decodePlace(list, by.length, after);
  const needsDays = by.includes('day') || by.includes('month');
  const days = needsDays ? await daysBehind(client, filter, calendar) : [];
  const partial = await inTime(
    queryAllLanes<Row>(client, statement(filter, days, place, calendar)),
  );
  const rows = merged(partial, filter);
  const names = by.map((_, index) => `d${index + 1}` as const);
  const view = (row: Row): AllUsageView => {
    const dimensions = by.map((name, index) => [name, row[names[index] ?? 'd1'] || null] as const);
    const { calls, call_cost, data_cost } = row;
    const sums = { calls, call_cost, data_cost, credits_used: call_cost + data_cost };
    return { ...Object.fromEntries(dimensions), ...sums };
  };
  return pageOf(rows, limit, view, (row) =>
    encodePlace(
      list,
      names.map((name) => row[name] ?? ''),
    ),
  );
}

/** Sums of the same dimensions in several groups are one. */
function merged(
  rows: readonly Row[],
  { by, limit, order }: Pick<AllUsageFilter, 'by' | 'limit' | 'order'>,
): readonly Row[] {
  const sums = new Map<string, Row>();
  const placeOf = (row: Row): readonly string[] => by.map((_, index) => row[`d${index + 1}`] ?? '');
  for (const row of rows) {
    const place = JSON.stringify(placeOf(row));
    const known = sums.get(place);
    const calls = row.calls + (known?.calls ?? 0);
    const call_cost = row.call_cost + (known?.call_cost ?? 0);
    const data_cost = row.data_cost + (known?.data_cost ?? 0);
    sums.set(place, { ...row, calls, call_cost, data_cost });
  }
  const sign = order === 'asc' ? 1 : -1;
  return [...sums.values()]
    .toSorted((one, other) => sign * byBytes(placeOf(one), placeOf(other)))
    .slice(0, limit + 1);
}

/** The order of collation "C". */
function byBytes(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const difference = Buffer.compare(Buffer.from(text), Buffer.from(other[index] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}

function statement(
  filter: AllUsageFilter,
  days: readonly Day[],
  place: readonly string[] | null,
  calendar: Calendar,
) {
  const { by, limit, order } = filter;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const parameters = {
    apiKeys: '',
    dayStarts: days.length > 0 ? bind(momentArray(days.map(({ startsAt }) => startsAt))) : '',
    dayLabels: days.length > 0 ? bind(days.map(({ label }) => label)) : '',
    tagNames: new Map<string, string>(),
  };
  const names = by.map((_, index) => `d${index + 1}`).join(', ');
  const ordered = by.map((_, index) => `d${index + 1} ${order}`).join(', ');
  const text = `
    with reached as (${REACHED} ${accountsOf(filter, bind)})
    select ${names === '' ? '' : `${names},`} coalesce(sum(calls), 0)::bigint as calls,
           coalesce(sum(call_cost), 0)::bigint as call_cost,
           coalesce(sum(data_cost), 0)::bigint as data_cost
      from (${rowsOf(filter, parameters, bind, calendar)}
            union all ${callsOf(filter, days, parameters, bind)}) as counted
     ${place === null ? '' : `where (${names}) ${comparisonFor(order)} (${place.map(bind).join(', ')})`}
     group by ${names === '' ? '()' : `${names} order by ${ordered}`}
     limit ${bind(limit + 1)}`;
  return { text, values };
}

function accountsOf({ test }: AllUsageFilter, bind: Bind): string {
  return test === null ? '' : `where a.test = ${bind(test)}`;
}

function columns(
  by: readonly AllUsageDimension[],
  of: (name: UsageDimension) => string,
  account: string,
): string {
  const expressions = by.map((name) => (name === 'account' ? account : of(name)));
  return expressions.map((each, at) => `(${each}) collate "C" as d${at + 1}, `).join('');
}

function rowsOf(
  { by, from, to, ...match }: AllUsageFilter,
  parameters: DimensionParameters,
  bind: Bind,
  calendar: Calendar,
): string {
  const day = (at: number): string => bind(calendar.dayAt(at).label);
  const { resource, region, rule, kind } = match;
  const conditions = [
    'r.version > 0',
    ...(from === null ? [] : [`d.day >= ${day(from)}`]),
    ...(to === null ? [] : [`d.day < ${day(to)}`]),
    ...onDay({ ...ANY_CALL, resource, region, rule, kind }, bind),
  ];
  const of = (name: UsageDimension): string => ofRow(name, parameters);
  return `select ${columns(by, of, 'd.account_id::text')} u.calls, u.call_cost, u.data_cost
            from reached r join day_usage d using (lane, account_id) ${sumsOfDay()}
           where ${conditions.join(' and ')}`;
}

function callsOf(
  { by, from, to, ...match }: AllUsageFilter,
  days: readonly Day[],
  parameters: DimensionParameters,
  bind: Bind,
): string {
  const { resource, region, rule, kind } = match;
  // Without a day there is no call, and nothing to bind labels to.
  const isEmpty = (by.includes('day') || by.includes('month')) && days.length === 0;
  const of = (name: UsageDimension): string =>
    isEmpty && (name === 'day' || name === 'month') ? `''` : ofCall(name, parameters);
  const found = onCall({ ...ANY_CALL, resource, region, rule, kind }, bind);
  return `select ${columns(by, of, 'e.account_id::text')} 1::bigint,
                 (c.cost ->> 0)::bigint, (c.cost ->> 1)::bigint
            ${tailOf({ from, to }, bind)} cross join lateral ${CALL_RECORD}
           where ${['true', ...found].join(' and ')}`;
}

/** Calls behind those of the rows, as `e`. */
function tailOf({ from, to }: Pick<AllUsageFilter, 'from' | 'to'>, bind: Bind): string {
  const moment = (ms: number): string => `to_timestamp(${bind(ms)}::bigint / 1000.0)`;
  return `from reached r
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
  const reached = `with reached as (${REACHED} ${accountsOf(filter, bind)})`;
  const text = `${reached} select (extract(epoch from min(e.at)) * 1000)::int8 as first,
    (extract(epoch from max(e.at)) * 1000)::int8 as last ${tailOf(filter, bind)}`;
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
