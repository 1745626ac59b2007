import type pg from 'pg';
import { windowOfCall } from '#account/evolve-call.js';
import type { Calendar } from '#calendar/calendar.js';
import { int2Array, int8Array, textArray, uuidArray } from '#event-log/binary-array.js';
import { laneOf } from '#event-log/event-log.js';
import { memberOfKey, nameOfKey } from '#rating/key-parts.js';
import type { StoredCall, Sums } from './stored-calls.js';

/** Calls of an account on one day that are alike in all that usage is grouped by. */
export interface UsageRow {
  readonly accountId: string;
  /** Label of the day in the billing zone. */
  readonly day: string;
  readonly window: string;
  readonly resource: string;
  readonly region: string;
  readonly rule: string;
  readonly kind: string;
  /** Ordinal in the account. */
  readonly apiKey: number;
  readonly calls: number;
  /** Credits. */
  readonly callCost: number;
  readonly dataCost: number;
}

/** Adds a call to the sums by day and by what calls asked for. */
export function addToDay(
  sums: Sums<UsageRow>,
  { accountId, at, call }: StoredCall,
  calendar: Calendar,
): void {
  const { kind, rule, cost, api_key: apiKey } = call;
  const { label: day } = calendar.dayAt(at);
  const window = windowOfCall(call);
  const resource = nameOfKey(call.key);
  const region = memberOfKey(call.key, resource, 'region');
  const id = `${accountId} ${day} ${window} ${resource} ${region} ${kind} ${apiKey} ${rule}`;
  const sum = sums.get(id);
  if (sum === undefined) {
    const [callCost, dataCost] = cost;
    const alike = { accountId, day, window, resource, region, rule, kind, apiKey };
    sums.set(id, { ...alike, calls: 1, callCost, dataCost });
  } else {
    sum.calls += 1;
    sum.callCost += cost[0];
    sum.dataCost += cost[1];
  }
}

/** Adds sums to the rows that are there. */
export async function saveUsage(client: pg.ClientBase, sums: readonly UsageRow[]): Promise<void> {
  await client.query({
    name: 'usage-save',
    text: `insert into usage_day as kept
             (lane, account_id, day, window_label, resource, region, rule, kind, api_key,
              calls, call_cost, data_cost)
           select * from unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::text[],
                                $6::text[], $7::text[], $8::text[], $9::bigint[],
                                $10::bigint[], $11::bigint[], $12::bigint[])
           on conflict (lane, account_id, day, window_label, resource, region, rule, kind, api_key)
           do update set calls = kept.calls + excluded.calls,
                         call_cost = kept.call_cost + excluded.call_cost,
                         data_cost = kept.data_cost + excluded.data_cost`,
    values: [
      int2Array(sums.map(({ accountId }) => laneOf(accountId))),
      uuidArray(sums.map(({ accountId }) => accountId)),
      textArray(sums.map(({ day }) => day)),
      textArray(sums.map(({ window }) => window)),
      textArray(sums.map(({ resource }) => resource)),
      textArray(sums.map(({ region }) => region)),
      textArray(sums.map(({ rule }) => rule)),
      textArray(sums.map(({ kind }) => kind)),
      int8Array(sums.map(({ apiKey }) => apiKey)),
      int8Array(sums.map(({ calls }) => calls)),
      int8Array(sums.map(({ callCost }) => callCost)),
      int8Array(sums.map(({ dataCost }) => dataCost)),
    ],
  });
}
