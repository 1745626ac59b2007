import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Day } from '#calendar/window.js';
import {
  int2Array,
  int8Array,
  momentArray,
  textArray,
  uuidArray,
} from '#event-log/binary-array.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { REGION_OF_CALL, RESOURCE_OF_CALL, WINDOW_OF_CALL } from './key-columns.js';
import { sumsOfDay } from './sums-of-day.js';
import type { UsageSums } from './usage-sums.js';
import {
  joinParts,
  OF_PART,
  partOf,
  saveKeys,
  SAVE_KEYS,
  type PartSums,
  type VersionRange,
} from './window-parts.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Calls of an account that its rows do not hold: after a version, up to an event. */
export interface UnsummedCalls {
  readonly after: number;
  readonly last: StoredEvent;
}

/** Columns by which calls of a day are summed, and the order of the sums in its row. */
const OF_DAY = 'resource, region, rule, kind, api_key';

/** Adds the sums of `day_added` to those of each day, which are one row for each window. */
const SAVE_DAYS = `
insert into day_usage (lane, account_id, day, window_label, resources, regions, rules, kinds,
                       api_keys, calls, call_costs, data_costs)
select lane, account_id, day, window_label,
       ${[...OF_DAY.split(', '), 'calls', 'call_cost', 'data_cost']
         .map((column) => `array_agg(${column} order by ${OF_DAY})`)
         .join(', ')}
  from (select lane, account_id, day, window_label, ${OF_DAY}, sum(calls)::int8 as calls,
               sum(call_cost)::int8 as call_cost, sum(data_cost)::int8 as data_cost
          from (select * from day_added
                union all
                select d.lane, d.account_id, d.day, d.window_label, u.*
                  from (select distinct lane, account_id, day, window_label from day_added) t
                  join day_usage d on (d.lane, d.account_id, d.day, d.window_label)
                                    = (t.lane, t.account_id, t.day, t.window_label)
                 ${sumsOfDay()})
                as every (lane, account_id, day, window_label, ${OF_DAY}, calls, call_cost, data_cost)
         group by lane, account_id, day, window_label, ${OF_DAY}) as used
 group by lane, account_id, day, window_label
    on conflict (lane, account_id, day, window_label) do update
       set resources = excluded.resources, regions = excluded.regions, rules = excluded.rules,
           kinds = excluded.kinds, api_keys = excluded.api_keys, calls = excluded.calls,
           call_costs = excluded.call_costs, data_costs = excluded.data_costs`;

const SAVE_REACHED = `
insert into usage_reached (lane, account_id, version)
select * from unnest($1::int2[], $2::uuid[], $3::int8[])
    on conflict (lane, account_id) do update set version = excluded.version`;

/** The sums of calls, made where the calls are. As `UsageSums` makes them. */
const SUM_CALLS = `
with called as materialized (
  select span.lane, span.account_id, c.key, ${WINDOW_OF_CALL} as window_label,
         ${partOf('e.account_version', '$7::int8')},
         ($6::text[])[width_bucket(e.at, $5::timestamptz[])] collate "C" as day,
         ${RESOURCE_OF_CALL} as resource, ${REGION_OF_CALL} as region, c.rule, c.kind, c.api_key,
         e.at, c.cost[1] as call_cost, c.cost[2] as data_cost
    from unnest($1::int2[], $2::uuid[], $3::int8[], $4::int8[])
           as span (lane, account_id, up_to, after)
   cross join lateral (
     select account_version, at, data from event
      where lane = span.lane and account_id = span.account_id and type = 'CallMade'
        and account_version > span.after and account_version <= span.up_to
      order by account_version) e
   cross join lateral json_to_record(e.data)
      as c (key text collate "C", "window" text collate "C", rule text collate "C",
            kind text collate "C", api_key int, cost int8[])
), key_added as (
  select ${OF_PART}, key, min(at) as at, count(*) as calls,
         sum(call_cost + data_cost)::int8 as credits
    from called group by ${OF_PART}, key
), day_added as (
  select lane, account_id, day, window_label, ${OF_DAY}, count(*) as calls,
         sum(call_cost)::int8 as call_cost, sum(data_cost)::int8 as data_cost
    from called group by lane, account_id, day, window_label, ${OF_DAY}
), saved_keys as (${SAVE_KEYS}), saved_days as (${SAVE_DAYS})
${SAVE_REACHED}`;

/** Adds calls to the sums of their accounts. `every`: how many events a short part of them has. */
export async function sumCalls(
  client: pg.ClientBase,
  accounts: readonly UnsummedCalls[],
  calendar: Calendar,
  every: number,
): Promise<void> {
  const days = await daysOf(client, accounts, calendar);
  await queryByLane<object, UnsummedCalls>(
    client,
    accounts,
    ({ last }) => last.lane,
    (own) => ({
      name: 'usage-sum',
      text: SUM_CALLS,
      values: [
        int2Array(own.map(({ last }) => last.lane)),
        uuidArray(own.map(({ last }) => last.accountId)),
        int8Array(own.map(({ last }) => last.accountVersion)),
        int8Array(own.map(({ after }) => after)),
        momentArray(days.map(({ startsAt }) => startsAt)),
        days.map(({ label }) => label),
        every,
      ],
    }),
  );
  const reached = accounts.map(({ after, last: { accountId, accountVersion: upTo } }) => {
    return { accountId, after, upTo };
  });
  await joinParts(client, reached, every);
}

/** Days from the first of these events to the last: an account's are ordered by moment. */
async function daysOf(
  client: pg.ClientBase,
  accounts: readonly UnsummedCalls[],
  calendar: Calendar,
): Promise<readonly Day[]> {
  const rows = await queryByLane<{ first: number; last: number }, UnsummedCalls>(
    client,
    accounts,
    ({ last }) => last.lane,
    (own) => ({
      name: 'usage-moments',
      text: `select (extract(epoch from min(at)) * 1000)::int8 as first,
                  (extract(epoch from max(at)) * 1000)::int8 as last
             from unnest($1::int2[], $2::uuid[], $3::int8[]) as e (lane, account_id, account_version)
             join event using (lane, account_id, account_version)`,
      values: [
        own.flatMap(({ last: { lane } }) => [lane, lane]),
        own.flatMap(({ last: { accountId } }) => [accountId, accountId]),
        own.flatMap(({ after, last }) => [after + 1, last.accountVersion]),
      ],
    }),
  );
  const moments = rows.filter(({ first }) => first !== null);
  const last = Math.max(...moments.map((row) => row.last));
  const days: Day[] = [];
  for (
    let at = Math.min(...moments.map(({ first }) => first));
    at <= last;
    at = days.at(-1)?.endsAt ?? Infinity
  ) {
    days.push(calendar.dayAt(at));
  }
  return days;
}

/** Adds sums of accounts that were made here, each up to where its rows hold its events then. */
export async function saveSums(
  client: pg.ClientBase,
  parts: readonly PartSums[],
  reached: readonly VersionRange[],
  every: number,
): Promise<void> {
  await saveKeys(client, parts, every);
  await saveDays(
    client,
    parts.map(({ sums }) => sums),
  );
  await client.query({
    name: 'usage-reached-save',
    text: SAVE_REACHED,
    values: [
      int2Array(reached.map(({ accountId }) => laneOf(accountId))),
      uuidArray(reached.map(({ accountId }) => accountId)),
      int8Array(reached.map(({ upTo }) => upTo)),
    ],
  });
  await joinParts(client, reached, every);
}

async function saveDays(client: pg.ClientBase, sums: readonly UsageSums[]): Promise<void> {
  const days = sums.flatMap((each) => [...each.days]);
  if (days.length === 0) return;
  await queryByLane<object, (typeof days)[number]>(
    client,
    days,
    ({ accountId }) => laneOf(accountId),
    (own) => ({
      name: 'usage-days-save',
      text: `with day_added as (
             select lane, account_id, day collate "C" as day, window_label collate "C" as window_label,
                    resource collate "C" as resource, region collate "C" as region,
                    rule collate "C" as rule, kind collate "C" as kind, api_key, calls, call_cost,
                    data_cost
               from unnest($1::int2[], $2::uuid[], $3::text[], $4::text[], $5::text[], $6::text[],
                           $7::text[], $8::text[], $9::int4[], $10::int8[], $11::int8[], $12::int8[])
                      as added (lane, account_id, day, window_label, ${OF_DAY}, calls, call_cost,
                                data_cost)
           ) ${SAVE_DAYS}`,
      values: [
        int2Array(own.map(({ accountId }) => laneOf(accountId))),
        uuidArray(own.map(({ accountId }) => accountId)),
        textArray(own.map(({ day }) => day)),
        textArray(own.map(({ window }) => window)),
        textArray(own.map(({ resource }) => resource)),
        textArray(own.map(({ region }) => region)),
        textArray(own.map(({ rule }) => rule)),
        textArray(own.map(({ kind }) => kind)),
        own.map(({ apiKey }) => apiKey),
        int8Array(own.map(({ calls }) => calls)),
        int8Array(own.map(({ callCost }) => callCost)),
        int8Array(own.map(({ dataCost }) => dataCost)),
      ],
    }),
  );
}
