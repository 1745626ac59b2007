import type { UsageDimension } from '../views/usage-dimension.js';
import { momentArray } from '#event-log/binary-array.js';
import { laneOf } from '#event-log/event-log.js';
import type { Day } from '#calendar/window.js';
import { sumsOfDay } from '../projections/sums-of-day.js';
import type { Query } from './calls-query.js';
import { CALL_RECORD, onCall, onDay, type CallConditions } from './call-conditions.js';

import { ofCall, ofRow, type DimensionParameters } from './usage-dimensions.js';
import { comparisonFor } from '../views/pages.js';
import type { UsageSource } from './usage-source.js';

/** The input of one statement of sums, and the page of sums that it returns. */
export interface UsageStatement {
  readonly accountId: string;
  readonly by: readonly UsageDimension[];
  readonly match: CallConditions;
  readonly source: UsageSource;
  /** Days of the calls that come from the log, where they are grouped by day or month. */
  readonly days: readonly Day[];
  /** Ids of the account's API keys by ordinal minus 1. */
  readonly apiKeys: readonly string[];
  /** Names of the tags that are grouped by, each as calls may hold it. */
  readonly tagNames: ReadonlyMap<string, readonly string[]>;
  /** Sums after the one of these dimensions; null: from the first. */
  readonly after: readonly string[] | null;
  /** Null: all of them. */
  readonly limit: number | null;
  readonly order: 'asc' | 'desc';
}

/** Members of each row: `d1`, `d2`, … for the dimensions, and the sums. */
export function usageQuery(asked: UsageStatement): Query {
  const { accountId, by, source, days, apiKeys, tagNames, after, limit, order } = asked;
  const values: unknown[] = [laneOf(accountId), accountId];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  // A parameter that no expression uses would have no type.
  const byDay = by.includes('day') || by.includes('month');
  const parameters: DimensionParameters = {
    apiKeys: by.includes('api_key') ? bind(apiKeys) : '',
    dayStarts: byDay ? bind(momentArray(days.map(({ startsAt }) => startsAt))) : '',
    dayLabels: byDay ? bind(days.map(({ label }) => label)) : '',
    tagNames: new Map([...tagNames].map(([name, held]) => [name, bind(held)])),
  };
  const parts = [
    ...(source.days === null ? [] : [rowsOf(asked, source.days, parameters, bind)]),
    callsOf(asked, parameters, bind),
  ];
  const names = by.map((_, index) => `d${index + 1}`).join(', ');
  const ordered = by.map((_, index) => `d${index + 1} ${order}`).join(', ');
  const text = `
    select ${names === '' ? '' : `${names},`} coalesce(sum(calls), 0)::bigint as calls,
           coalesce(sum(call_cost), 0)::bigint as call_cost,
           coalesce(sum(data_cost), 0)::bigint as data_cost
      from (${parts.join(' union all ')}) as counted
     ${after === null ? '' : `where (${names}) ${comparisonFor(order)} (${after.map(bind).join(', ')})`}
     group by ${names === '' ? '()' : `${names} order by ${ordered}`}
     limit ${bind(limit)}`;
  return { text, values };
}

type Bind = (value: unknown) => string;

function named(expressions: readonly string[]): string {
  return expressions.map((each, index) => `(${each}) collate "C" as d${index + 1}, `).join('');
}

function rowsOf(
  { by, match }: UsageStatement,
  days: { readonly from: string; readonly to: string },
  parameters: DimensionParameters,
  bind: Bind,
): string {
  const conditions = [
    `d.day >= ${bind(days.from)} and d.day < ${bind(days.to)}`,
    ...onDay(match, bind),
  ];
  return `select ${named(by.map((dimension) => ofRow(dimension, parameters)))}
                 u.calls, u.call_cost, u.data_cost
            from day_usage d ${sumsOfDay()}
           where d.lane = $1 and d.account_id = $2 and ${conditions.join(' and ')}`;
}

function callsOf(
  { by, match, source }: UsageStatement,
  parameters: DimensionParameters,
  bind: Bind,
): string {
  return `select ${named(by.map((dimension) => ofCall(dimension, parameters)))}
                 1::bigint as calls, (c.cost ->> 0)::bigint as call_cost,
                 (c.cost ->> 1)::bigint as data_cost
            from ${callsIn(source.stretches, bind)}
           cross join lateral ${CALL_RECORD}
           where ${['true', ...onCall(match, bind)].join(' and ')}`;
}

/** The calls of `$1`, `$2` (lane, account) in stretches of the log, as `e`. */
export function callsIn(stretches: UsageSource['stretches'], bind: Bind): string {
  const after = bind(stretches.map((one) => one.after));
  const upTo = bind(stretches.map((one) => one.upTo));
  return `unnest(${after}::bigint[], ${upTo}::bigint[]) as stretch (after, up_to)
          cross join lateral (
            select e.at, e.data from event e
             where e.lane = $1 and e.account_id = $2 and e.type = 'CallMade'
               and e.account_version > stretch.after and e.account_version <= stretch.up_to
             order by e.account_version) e`;
}
