import type pg from 'pg';
import { windowOfCall } from '#account/evolve.js';
import type { Calendar } from '#calendar/calendar.js';
import { laneOf, SYSTEM_LANE } from '#event-log/event-log.js';
import type { Projection } from '#event-log/projection.js';
import { callsAmong, type StoredCall } from './stored-calls.js';
import { saveUsage, sumByDay } from './usage-rows.js';

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
export const WINDOWS_VERSION = 2;

/** Sums calls by account, window and key. */
export function sumByKey(calls: readonly StoredCall[]): WindowKey[] {
  const sums = new Map<string, { -readonly [Member in keyof WindowKey]: WindowKey[Member] }>();
  for (const { accountId, at, call } of calls) {
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

/**
 * What accounts called: by window and key (specification 3), and by day and what was asked for. One
 * projection, because reading the events costs more than adding them up twice.
 */
export function windowsProjection(calendar: Calendar): Projection {
  return {
    name: WINDOWS,
    version: WINDOWS_VERSION,
    tables: ['window_key', 'usage_day'],
    async apply(events, client) {
      const calls = callsAmong(events.filter(({ lane }) => lane !== SYSTEM_LANE));
      if (calls.length === 0) return;
      await saveKeys(client, sumByKey(calls));
      await saveUsage(client, sumByDay(calls, calendar));
    },
  };
}

async function saveKeys(client: pg.ClientBase, sums: readonly WindowKey[]): Promise<void> {
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
}
