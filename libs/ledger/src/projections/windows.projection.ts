import type pg from 'pg';
import { windowOfCall } from '#account/evolve-call.js';
import type { Calendar } from '#calendar/calendar.js';
import {
  int2Array,
  int8Array,
  momentArray,
  textArray,
  uuidArray,
} from '#event-log/binary-array.js';
import { laneOf, SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import type { Projection, RowChanges } from '#event-log/projection.js';
import { storedCall, type StoredCall, type Sums } from './stored-calls.js';
import { addToDay, saveUsage, type UsageRow } from './usage-rows.js';

/** Use of one key by one account in one window. `firstCallAt` in ms since 1970. */
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

/** Adds a call to the sums by account, window and key. */
export function addToKey(sums: Sums<WindowKey>, { accountId, at, call }: StoredCall): void {
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

/**
 * Calls of accounts: by window and key (specification 3), and by day and resource. One projection,
 * because reading the events costs more than adding them up twice.
 */
export function windowsProjection(calendar: Calendar): Projection {
  return {
    name: WINDOWS,
    version: WINDOWS_VERSION,
    tables: ['window_key', 'usage_day'],
    collect: () => new CallChanges(calendar),
    async apply(events, client) {
      const changes = new CallChanges(calendar);
      for (const event of events) changes.add(event);
      await changes.write(client);
    },
  };
}

class CallChanges implements RowChanges {
  private keys: Sums<WindowKey> = new Map();
  private days: Sums<UsageRow> = new Map();

  constructor(private readonly calendar: Calendar) {}

  get size(): number {
    return this.keys.size + this.days.size;
  }

  add(stored: StoredEvent): void {
    const call = stored.lane === SYSTEM_LANE ? undefined : storedCall(stored);
    if (call === undefined) return;
    addToKey(this.keys, call);
    addToDay(this.days, call, this.calendar);
  }

  async write(client: pg.ClientBase): Promise<void> {
    const [keys, days] = [[...this.keys.values()], [...this.days.values()]];
    this.keys = new Map();
    this.days = new Map();
    if (keys.length === 0) return;
    await saveKeys(client, keys);
    await saveUsage(client, days);
  }
}

async function saveKeys(client: pg.ClientBase, sums: readonly WindowKey[]): Promise<void> {
  await client.query({
    name: 'windows-save',
    text: `insert into window_key as kept
             (lane, account_id, window_label, key, first_call_at, calls, credits_used)
           select * from unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[],
                                $5::timestamptz[], $6::bigint[], $7::bigint[])
           on conflict (lane, account_id, window_label, key) do update
              set calls = kept.calls + excluded.calls,
                  credits_used = kept.credits_used + excluded.credits_used`,
    values: [
      int2Array(sums.map(({ accountId }) => laneOf(accountId))),
      uuidArray(sums.map(({ accountId }) => accountId)),
      textArray(sums.map(({ window }) => window)),
      textArray(sums.map(({ key }) => key)),
      momentArray(sums.map(({ firstCallAt }) => firstCallAt)),
      int8Array(sums.map(({ calls }) => calls)),
      int8Array(sums.map(({ creditsUsed }) => creditsUsed)),
    ],
  });
}
