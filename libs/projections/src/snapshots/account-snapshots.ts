import type pg from 'pg';
import { evolve } from '#account/evolve.js';
import type { AccountState } from '#account/state.js';
import { laneOf } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { MILESTONE_EVERY } from '#event-log/milestones.js';
import { stateFromJson, stateToJson } from './account-row.js';
import { readEvent, unopened } from './account-tail.js';

/** An account as it was after some of its events: as many as its version says. */
export interface AccountSnapshot {
  readonly accountId: string;
  readonly state: AccountState;
  /** Of its chain, 64 hex digits. */
  readonly head: string;
}

/** So many events are replayed at most to know an account of the past. The last is a milestone. */
const SNAPSHOT_EVERY = 20 * MILESTONE_EVERY;

/** Whether the ledger keeps an account's state after this many events. */
export function isSnapshotDue({ version }: AccountState): boolean {
  return version > 0 && version % SNAPSHOT_EVERY === 0;
}

export async function saveSnapshots(
  client: pg.ClientBase,
  snapshots: readonly AccountSnapshot[],
): Promise<void> {
  if (snapshots.length === 0) return;
  await client.query({
    name: 'ledger-snapshots',
    text: `insert into ledger_snapshot (lane, account_id, version, state, head)
           select * from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::json[],
                                $5::bytea[])`,
    values: [
      snapshots.map(({ accountId }) => laneOf(accountId)),
      snapshots.map(({ accountId }) => accountId),
      snapshots.map(({ state }) => state.version),
      snapshots.map(({ state }) => stateToJson(state)),
      snapshots.map(({ head }) => Buffer.from(head, 'hex')),
    ],
  });
}

/**
 * An account after its first `version` events: the newest snapshot before, and the events since, by
 * the same `evolve` as everywhere. The keys it had opened are left out.
 */
export async function stateAfter(
  client: pg.ClientBase,
  accountId: string,
  version: number,
): Promise<AccountState> {
  let state = await readSnapshot(client, accountId, version);
  const { rows } = await client.query<EventRow>({
    name: 'events-since-snapshot',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = $1 and e.account_id = $2
              and e.account_version > $3 and e.account_version <= $4
            order by e.account_version`,
    values: [laneOf(accountId), accountId, state.version, version],
  });
  for (const row of rows) state = evolve(state, readEvent(toStoredEvent(row)));
  if (state.version === version) return state;
  throw new Error(`Account ${accountId} has no event ${state.version + 1} in the log.`);
}

async function readSnapshot(
  client: pg.ClientBase,
  accountId: string,
  version: number,
): Promise<AccountState> {
  const { rows } = await client.query<{ state: string }>({
    name: 'ledger-snapshot',
    text: `select state::text as state from ledger_snapshot
            where lane = $1 and account_id = $2 and version <= $3
            order by version desc limit 1`,
    values: [laneOf(accountId), accountId, version],
  });
  const [row] = rows;
  return row === undefined ? unopened.state : stateFromJson(row.state);
}
