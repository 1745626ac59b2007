import type { Day } from '#calendar/window.js';
import { momentArray } from '#event-log/binary-array.js';
import { laneOf } from '#event-log/event-log.js';
import type { Order } from '#web/query.js';
import { sumsOfDay } from '../projections/sums-of-day.js';
import { comparisonFor } from '../views/pages.js';
import { CALL_RECORD, onCall, onDay, type CallConditions } from './call-conditions.js';
import type { Query } from './calls-query.js';
import { ofCall, ofRow, type DimensionParameters, type SumDimension } from './usage-dimensions.js';
import type { UsageSource } from './usage-source.js';

/** Binds a value to a statement. Returns its parameter, like `$7`. */
export type Bind = (value: unknown) => string;

/** The calls that are summed, in SQL: each is in a row of a day or in the log, never in both. */
export interface CalledAccounts {
  /** Clause before the statement. */
  readonly before?: string;
  /** Rows of days as `d`, with conditions on them; null: no row counts. */
  readonly days: { readonly from: string; readonly conditions: readonly string[] } | null;
  /** Calls of the log as `e`. */
  readonly calls: string;
}

/** The input of one statement of sums, and the page of sums that it returns. */
export interface UsageStatement {
  readonly accounts: (bind: Bind) => CalledAccounts;
  readonly by: readonly SumDimension[];
  readonly match: CallConditions;
  /** Days of the calls that come from the log, where they are grouped by day or month. */
  readonly days: readonly Day[];
  /** Ids of the account's API keys by ordinal minus 1. */
  readonly apiKeys?: readonly string[];
  /** Names of the tags that are grouped by, each as calls may hold it. */
  readonly tagNames?: ReadonlyMap<string, readonly string[]>;
  /** Sums after the one of these dimensions; null: from the first. */
  readonly after: readonly string[] | null;
  /** Null: all of them. */
  readonly limit: number | null;
  readonly order: Order;
}

/** Members of each row: `d1`, `d2`, … for the dimensions, and the sums. */
export function usageQuery(asked: UsageStatement): Query {
  const { by, match, days, apiKeys = [], tagNames = new Map(), after, limit, order } = asked;
  const values: unknown[] = [];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const accounts = asked.accounts(bind);
  // A parameter that no expression uses would have no type.
  const byDay = by.includes('day') || by.includes('month');
  const parameters: DimensionParameters = {
    apiKeys: by.includes('api_key') ? bind(apiKeys) : '',
    dayStarts: byDay ? bind(momentArray(days.map(({ startsAt }) => startsAt))) : '',
    dayLabels: byDay ? bind(days.map(({ label }) => label)) : '',
    tagNames: new Map([...tagNames].map(([name, held]) => [name, bind(held)])),
  };
  const rows = accounts.days === null ? '' : rowsOf(accounts.days, asked, parameters, bind);
  const names = by.map((_, index) => `d${index + 1}`).join(', ');
  const ordered = by.map((_, index) => `d${index + 1} ${order}`).join(', ');
  const text = `
    ${accounts.before ?? ''}
    select ${names === '' ? '' : `${names},`} coalesce(sum(calls), 0)::bigint as calls,
           coalesce(sum(call_cost), 0)::bigint as call_cost,
           coalesce(sum(data_cost), 0)::bigint as data_cost
      from (${rows}
            select ${named(by.map((dimension) => ofCall(dimension, parameters)))}
                   1::bigint as calls, (c.cost ->> 0)::bigint as call_cost,
                   (c.cost ->> 1)::bigint as data_cost
              from ${accounts.calls} cross join lateral ${CALL_RECORD}
             where ${['true', ...onCall(match, bind)].join(' and ')}) as counted
     ${after === null ? '' : `where (${names}) ${comparisonFor(order)} (${after.map(bind).join(', ')})`}
     group by ${names === '' ? '()' : `${names} order by ${ordered}`}
     limit ${bind(limit)}`;
  return { text, values };
}

function rowsOf(
  { from, conditions }: NonNullable<CalledAccounts['days']>,
  { by, match }: UsageStatement,
  parameters: DimensionParameters,
  bind: Bind,
): string {
  return `select ${named(by.map((dimension) => ofRow(dimension, parameters)))}
                 u.calls, u.call_cost, u.data_cost
            from ${from} ${sumsOfDay()}
           where ${[...conditions, ...onDay(match, bind)].join(' and ')}
           union all`;
}

function named(expressions: readonly string[]): string {
  return expressions.map((each, index) => `(${each}) collate "C" as d${index + 1}, `).join('');
}

/** The calls of one account. */
export function callsOfAccount(
  accountId: string,
  { days, stretches }: UsageSource,
): UsageStatement['accounts'] {
  return (bind) => {
    const [lane, account] = [`${bind(laneOf(accountId))}::smallint`, `${bind(accountId)}::uuid`];
    const rows = days && {
      from: 'day_usage d',
      conditions: [
        `d.lane = ${lane} and d.account_id = ${account}`,
        `d.day >= ${bind(days.from)} and d.day < ${bind(days.to)}`,
      ],
    };
    return { days: rows, calls: callsIn(stretches, lane, account, bind) };
  };
}

/** The calls of an account in stretches of the log, as `e`. */
export function callsIn(
  stretches: UsageSource['stretches'],
  lane: string,
  account: string,
  bind: Bind,
): string {
  const after = bind(stretches.map((one) => one.after));
  const upTo = bind(stretches.map((one) => one.upTo));
  return `unnest(${after}::bigint[], ${upTo}::bigint[]) as stretch (after, up_to)
          cross join lateral (
            select e.at, e.data from event e
             where e.lane = ${lane} and e.account_id = ${account} and e.type = 'CallMade'
               and e.account_version > stretch.after and e.account_version <= stretch.up_to
             order by e.account_version) e`;
}
