import type { CallMade } from '#account/events.js';
import { windowOfCall } from '#account/evolve.js';
import { laneOf, SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import type { Projection } from '#event-log/projection.js';

/** What one account did with one key in one window. `firstCallAt` in ms since 1970. */
export interface WindowKey {
  readonly accountId: string;
  readonly window: string;
  readonly key: string;
  readonly firstCallAt: number;
  readonly calls: number;
  readonly creditsUsed: number;
}

export const WINDOWS = 'windows';

/** Sums the calls among events by account, window and key. */
export function sumByKey(events: readonly StoredEvent[]): WindowKey[] {
  const sums = new Map<string, { -readonly [Member in keyof WindowKey]: WindowKey[Member] }>();
  for (const { accountId, type, at, data } of events) {
    if (type !== 'CallMade') continue;
    const call = JSON.parse(data) as CallMade;
    const window = windowOfCall(call);
    const id = `${accountId} ${window} ${call.key}`;
    const creditsUsed = call.cost[0] + call.cost[1];
    const sum = sums.get(id);
    if (sum === undefined) {
      sums.set(id, { accountId, window, key: call.key, firstCallAt: at, calls: 1, creditsUsed });
    } else {
      sum.calls += 1;
      sum.creditsUsed += creditsUsed;
    }
  }
  return [...sums.values()];
}

/** State of each key in each window (specification 3): first call, calls, credits. */
export const windowsProjection: Projection = {
  name: WINDOWS,
  version: 1,
  tables: ['window_key'],
  async apply(events, client) {
    const sums = sumByKey(events.filter(({ lane }) => lane !== SYSTEM_LANE));
    if (sums.length === 0) return;
    await client.query({
      name: 'windows-save',
      text: `insert into window_key as kept
               (lane, account_id, window_label, key, first_call_at, calls, credits_used)
             select lane, account_id, window_label, key, to_timestamp(at_ms / 1000.0), calls, credits
               from unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[], $5::bigint[],
                           $6::bigint[], $7::bigint[])
                    as row (lane, account_id, window_label, key, at_ms, calls, credits)
             on conflict (lane, account_id, window_label, key) do update
                set calls = kept.calls + excluded.calls,
                    credits_used = kept.credits_used + excluded.credits_used`,
      values: [
        sums.map(({ accountId }) => laneOf(accountId)),
        sums.map(({ accountId }) => accountId),
        sums.map(({ window }) => window),
        sums.map(({ key }) => key),
        sums.map(({ firstCallAt }) => firstCallAt),
        sums.map(({ calls }) => calls),
        sums.map(({ creditsUsed }) => creditsUsed),
      ],
    });
  },
};
