import type pg from 'pg';
import {
  int2Array,
  int8Array,
  momentArray,
  textArray,
  uuidArray,
} from '#event-log/binary-array.js';
import { laneOf } from '#event-log/event-log.js';
import { queryByLane } from '#event-log/query-by-lane.js';
import type { UsageSums } from './usage-sums.js';

/**
 * So many short parts become a long one, so that an account has few rows for many calls of the same
 * keys. No row is written again for what comes later: a key costs the same, however many were
 * opened before it.
 */
const SHORT_IN_LONG = 16;

/** Columns of a part: the keys of a window that a span of its account's events called. */
export const OF_PART = 'lane, account_id, window_label, after, up_to';

/** Sums of calls after a version of an account up to another, all of one short part. */
export interface PartSums {
  readonly accountId: string;
  readonly after: number;
  readonly upTo: number;
  readonly sums: UsageSums;
}

/** An account whose rows held its events up to a version, and hold them up to a later one. */
export interface VersionRange {
  readonly accountId: string;
  readonly after: number;
  readonly upTo: number;
}

/** Rows of sums of keys, of which a key may have several. */
const partsText = (sums: string): string => `
insert into window_part (${OF_PART}, keys, first_call_at, calls, credits_used)
select ${OF_PART}, array_agg(key order by key), array_agg(at order by key),
       array_agg(calls order by key), array_agg(credits order by key)
  from (select ${OF_PART}, key, min(at) as at, sum(calls)::int8 as calls,
               sum(credits)::int8 as credits
          from (${sums}) as every (${OF_PART}, key, at, calls, credits)
         group by ${OF_PART}, key) as used
 group by ${OF_PART}`;

/** Adds the sums of `key_added` to the keys of each part. */
export const SAVE_KEYS = `
${partsText(`
  select * from key_added
  union all
  select w.lane, w.account_id, w.window_label, w.after, w.up_to, k.*
    from (select distinct ${OF_PART} from key_added) t
    join window_part w on (w.lane, w.account_id, w.window_label, w.after, w.up_to)
                        = (t.lane, t.account_id, t.window_label, t.after, t.up_to)
   cross join lateral unnest(w.keys, w.first_call_at, w.calls, w.credits_used) k`)}
    on conflict (${OF_PART}) do update
       set keys = excluded.keys, first_call_at = excluded.first_call_at, calls = excluded.calls,
           credits_used = excluded.credits_used`;

/** SQL for the short part that a version lies in. `every`: how many events it has. */
export function partOf(version: string, every: string): string {
  return `(${version} - 1) / ${every} * ${every} as after,
          ((${version} - 1) / ${every} + 1) * ${every} as up_to`;
}

/** Adds sums to the keys of their parts. `every`: how many events a short part has. */
export async function saveKeys(
  client: pg.ClientBase,
  parts: readonly PartSums[],
  every: number,
): Promise<void> {
  const keys = parts.flatMap(({ upTo, sums }) => {
    const end = Math.ceil(upTo / every) * every;
    return [...sums.keys].map((key) => ({ key, end }));
  });
  await queryByLane<object, (typeof keys)[number]>(
    client,
    keys,
    ({ key }) => laneOf(key.accountId),
    (own) => ({
      name: 'usage-keys-save',
      text: `with key_added as (
             select lane, account_id, window_label, up_to - $9 as after, up_to,
                    key collate "C" as key, at, calls, credits
               from unnest($1::int2[], $2::uuid[], $3::text[], $4::int8[], $5::text[],
                           $6::timestamptz[], $7::int8[], $8::int8[])
                      as added (lane, account_id, window_label, up_to, key, at, calls, credits)
           ) ${SAVE_KEYS}`,
      values: [
        int2Array(own.map(({ key }) => laneOf(key.accountId))),
        uuidArray(own.map(({ key }) => key.accountId)),
        textArray(own.map(({ key }) => key.window)),
        int8Array(own.map(({ end }) => end)),
        textArray(own.map(({ key }) => key.key)),
        momentArray(own.map(({ key }) => key.firstCallAt)),
        int8Array(own.map(({ key }) => key.calls)),
        int8Array(own.map(({ key }) => key.credits)),
        every,
      ],
    }),
  );
}

/** Makes long parts of the short ones, where all of a long one's events are summed by now. */
export async function joinParts(
  client: pg.ClientBase,
  reached: readonly VersionRange[],
  every: number,
): Promise<void> {
  const long = SHORT_IN_LONG * every;
  const longTo = (version: number): number => Math.floor(version / long) * long;
  const whole = reached.filter(({ after, upTo }) => longTo(after) < longTo(upTo));
  const values = (own: readonly VersionRange[]): unknown[] => [
    int2Array(own.map(({ accountId }) => laneOf(accountId))),
    uuidArray(own.map(({ accountId }) => accountId)),
    int8Array(own.map(({ upTo }) => longTo(upTo))),
    every,
  ];
  const laneOfReached = ({ accountId }: VersionRange): number => laneOf(accountId);
  await queryByLane<object, VersionRange>(client, whole, laneOfReached, (own) => ({
    name: 'usage-parts-join',
    text: partsText(`
      select w.lane, w.account_id, w.window_label, w.after / $5 * $5, (w.after / $5 + 1) * $5, k.*
        from unnest($1::int2[], $2::uuid[], $3::int8[]) as whole (lane, account_id, version)
        join window_part w on w.lane = whole.lane and w.account_id = whole.account_id
                          and w.up_to <= whole.version and w.up_to - w.after = $4
       cross join lateral unnest(w.keys, w.first_call_at, w.calls, w.credits_used) k`),
    values: [...values(own), long],
  }));
  await queryByLane<object, VersionRange>(client, whole, laneOfReached, (own) => ({
    name: 'usage-parts-joined',
    text: `delete from window_part w
            using unnest($1::int2[], $2::uuid[], $3::int8[]) as whole (lane, account_id, version)
            where w.lane = whole.lane and w.account_id = whole.account_id
              and w.up_to <= whole.version and w.up_to - w.after = $4`,
    values: values(own),
  }));
}
