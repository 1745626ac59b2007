import type pg from 'pg';
import { dueAt } from '#account/advance.js';
import type { AccountEvent } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import {
  byteaArray,
  int2Array,
  int8Array,
  jsonArray,
  momentArray,
  textArray,
  uuidArray,
} from '#event-log/binary-array.js';
import { laneOf, SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import type { Projection, RowChanges } from '#event-log/projection.js';
import {
  LEDGER_VERSION,
  stateFromJson,
  stateToJson,
  type LoadedAccount,
} from '../snapshots/account-row.js';
import {
  isSnapshotDue,
  saveSnapshots,
  type AccountSnapshot,
} from '../snapshots/account-snapshots.js';
import { followRead, readEvent, unopened } from '../snapshots/account-tail.js';

interface Row {
  readonly account_id: string;
  readonly state: string;
  readonly head: string;
}

/** Name under which the ledger's checkpoints stand. */
export const LEDGER = 'ledger';

/**
 * The ledger feeds decisions, and it alone: the core of each account, the keys it opened, and
 * which account an API key belongs to, by the same `evolve` as the lane writer's. Beside them it
 * keeps how each account stood every so often, for those who ask about the past.
 */
export function ledgerProjection(calendar: Calendar): Projection {
  return {
    name: LEDGER,
    version: LEDGER_VERSION,
    tables: ['ledger_account', 'ledger_opened', 'ledger_api_key', 'ledger_snapshot'],
    collect: () => new LedgerChanges(calendar),
    async apply(events, client) {
      const own = events.filter(({ lane }) => lane !== SYSTEM_LANE);
      if (own.length === 0) return;
      const changes = new LedgerChanges(calendar, await loadRows(client, own));
      for (const event of own) changes.add(event);
      await changes.write(client);
    },
  };
}

class LedgerChanges implements RowChanges {
  private changed = new Map<string, LoadedAccount>();
  private snapshots: AccountSnapshot[] = [];
  private opened: ReadEvent<'CallMade'>[] = [];
  private issued: ReadEvent<'ApiKeyIssued'>[] = [];

  /** `accounts`: as their rows say; all others have none. */
  constructor(
    private readonly calendar: Calendar,
    private readonly accounts = new Map<string, LoadedAccount>(),
  ) {}

  get size(): number {
    const { changed, snapshots, opened, issued } = this;
    return changed.size + snapshots.length + opened.length + issued.length;
  }

  add(stored: StoredEvent): void {
    if (stored.lane === SYSTEM_LANE) return;
    const { accountId } = stored;
    const event = readEvent(stored);
    const before = this.accounts.get(accountId) ?? unopened;
    const after = withoutKeys(followRead(before, stored, event));
    this.accounts.set(accountId, after);
    this.changed.set(accountId, after);
    if (isSnapshotDue(after.state)) this.snapshots.push({ accountId, state: after.state });
    if (event.type === 'ApiKeyIssued') this.issued.push({ stored, event });
    if (event.type === 'CallMade' && event.data.kind === 'base')
      this.opened.push({ stored, event });
  }

  async write(client: pg.ClientBase): Promise<void> {
    const { changed, snapshots, opened, issued } = this;
    this.changed = new Map();
    [this.snapshots, this.opened, this.issued] = [[], [], []];
    if (changed.size > 0) await saveAccounts(client, changed, this.calendar);
    await saveSnapshots(client, snapshots);
    await saveOpened(client, opened);
    await saveApiKeys(client, issued);
  }
}

/** The keys have rows of their own: a set of them would only grow here. */
function withoutKeys(account: LoadedAccount): LoadedAccount {
  const { state, head } = account;
  if (state.opened.size === 0) return account;
  return { state: { ...state, opened: unopened.state.opened }, head };
}

async function loadRows(
  client: pg.ClientBase,
  events: readonly StoredEvent[],
): Promise<Map<string, LoadedAccount>> {
  const ids = [...new Set(events.map(({ accountId }) => accountId))];
  const { rows } = await client.query<Row>({
    name: 'ledger-rows',
    text: `select a.account_id, a.state::text as state, encode(a.head, 'hex') as head
             from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
             join ledger_account a using (lane, account_id)`,
    values: [ids.map(laneOf), ids],
  });
  return new Map(
    rows.map((row) => [row.account_id, { state: stateFromJson(row.state), head: row.head }]),
  );
}

/** An account with a test clock stands still until it is moved: no timer has to look after it. */
function realDueAt(state: AccountState, calendar: Calendar): number | null {
  return state.testClock === null ? dueAt(state, calendar) : null;
}

async function saveAccounts(
  client: pg.ClientBase,
  accounts: ReadonlyMap<string, LoadedAccount>,
  calendar: Calendar,
): Promise<void> {
  const all = [...accounts];
  await client.query({
    name: 'ledger-save',
    text: `insert into ledger_account (lane, account_id, version, head, state, due_at)
           select lane, account_id, version, head, state, to_timestamp(due_ms / 1000.0)
             from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bytea[], $5::json[],
                         $6::bigint[]) as row (lane, account_id, version, head, state, due_ms)
           on conflict (lane, account_id) do update
              set version = excluded.version, head = excluded.head, state = excluded.state,
                  due_at = excluded.due_at`,
    values: [
      int2Array(all.map(([id]) => laneOf(id))),
      uuidArray(all.map(([id]) => id)),
      int8Array(all.map(([, { state }]) => state.version)),
      byteaArray(all.map(([, { head }]) => head)),
      jsonArray(all.map(([, { state }]) => stateToJson(state))),
      all.map(([, { state }]) => realDueAt(state, calendar)),
    ],
  });
}

interface ReadEvent<Type extends AccountEvent['type']> {
  readonly stored: StoredEvent;
  readonly event: Extract<AccountEvent, { type: Type }>;
}

async function saveOpened(
  client: pg.ClientBase,
  bases: readonly ReadEvent<'CallMade'>[],
): Promise<void> {
  if (bases.length === 0) return;
  await client.query({
    name: 'ledger-opened',
    text: `insert into ledger_opened (lane, account_id, key, call_id, at)
           select * from unnest($1::smallint[], $2::uuid[], $3::text[], $4::uuid[],
                                $5::timestamptz[])`,
    values: [
      int2Array(bases.map(({ stored }) => stored.lane)),
      uuidArray(bases.map(({ stored }) => stored.accountId)),
      textArray(bases.map(({ event }) => event.data.key)),
      uuidArray(bases.map(({ stored }) => stored.callId)),
      momentArray(bases.map(({ stored }) => stored.at)),
    ],
  });
}

async function saveApiKeys(
  client: pg.ClientBase,
  issued: readonly ReadEvent<'ApiKeyIssued'>[],
): Promise<void> {
  if (issued.length === 0) return;
  await client.query(
    `insert into ledger_api_key (hash, lane, account_id, api_key)
     select * from unnest($1::bytea[], $2::smallint[], $3::uuid[], $4::int[])`,
    [
      issued.map(({ event }) => Buffer.from(event.data.hash, 'hex')),
      issued.map(({ stored }) => stored.lane),
      issued.map(({ stored }) => stored.accountId),
      issued.map(({ event }) => event.data.api_key),
    ],
  );
}
