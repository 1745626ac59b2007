import type pg from 'pg';
import { OpenedKeys } from '#account/opened-keys.js';
import { withTransaction } from '#database/database.js';
import { OF_UNKNOWN_TYPE } from '#event-log/damaged-accounts.js';
import { EVENTS_COLUMNS, eventsOfRow, ROW_EVENTS, type EventsRow } from '#event-log/events-row.js';
import { laneOf, LogUnavailableError, SYSTEM_ACCOUNT, type LaneEnd } from '#event-log/event-log.js';
import { INDEX } from '#rating/index-keys.js';
import { LEDGER_VERSION, stateFromJson } from '../snapshots/account-row.js';
import type { AccountSource, FoundKeys, KeyOfAccount, LoadedAccounts } from './account-source.js';
import { unopened } from '../snapshots/account-tail.js';
import { SoundAccounts } from './damage.js';
import { LEDGER } from '../projections/ledger.projection.js';
import { queryByLane, retryWhileShardsMove } from '#event-log/query-by-lane.js';

/** How the ledger stands to a lane. */
export interface LedgerState {
  readonly of_lane: number;
  readonly version: number | null;
  readonly is_beyond: boolean;
}

/** A key that was found in a lane, or that none was. */
interface FoundKey {
  readonly account_id: string | null;
  readonly key: string | null;
}

interface AccountRow {
  readonly account_id: string;
  /** Null without a row. */
  readonly state: string | null;
  readonly head: string;
  /** Why the ledger has left the account; null: it is sound as far as the ledger has come. */
  readonly error: string | null;
}

/** Loads accounts for decisions: rows of the ledger, and the events after them. */
export class AccountLoader implements AccountSource {
  constructor(private readonly pool: pg.Pool) {}

  /** Accounts by id; one that has no event is `unopened`. Complete for its running window. */
  async load(ids: readonly string[]): Promise<LoadedAccounts> {
    return this.inSnapshot(ids, true);
  }

  /** The same without the opened keys, for readers that decide nothing. */
  async loadCores(ids: readonly string[]): Promise<LoadedAccounts> {
    return this.inSnapshot(ids, false);
  }

  private inSnapshot(ids: readonly string[], withKeys: boolean): Promise<LoadedAccounts> {
    return retryWhileShardsMove(() =>
      withTransaction(
        this.pool,
        (client) => loadAccounts(client, ids, withKeys),
        'repeatable read',
      ),
    );
  }

  /** Which of these keys their accounts have opened, in any window. */
  async opened(keys: readonly KeyOfAccount[]): Promise<FoundKeys> {
    const rows = await retryWhileShardsMove(() =>
      queryByLane<LaneEnd & FoundKey, KeyOfAccount>(
        this.pool,
        keys,
        ({ accountId }) => laneOf(accountId),
        (own) => ({
          name: 'ledger-opened-ends',
          text: `with wanted as materialized (
               select distinct * from unnest($1::smallint[], $2::uuid[], $3::text[])
                 as w (lane, account_id, key)
             ), tail as materialized (
               select w.lane, w.account_id, e.key
                 from (select distinct lane, account_id from wanted) w
                 left join ledger_account a
                        on a.lane = w.lane and a.account_id = w.account_id
                 cross join lateral (
                   select e.data ->> 'key' as key from event e
                    where e.lane = w.lane and e.account_id = w.account_id
                      and e.account_version > coalesce(a.version, 0) and e.type = 'CallMade'
                    order by e.account_version) e
             ), found as (
               select lane, account_id, key from wanted join ledger_opened o using (lane, account_id, key)
               union
               select lane, account_id, key from wanted join tail using (lane, account_id, key)
             )
             select l.lane, l.position, encode(l.head, 'hex') as head, f.account_id, f.key
               from lane l left join found f using (lane)
              where l.lane = any($1::smallint[])`,
          values: [
            own.map(({ accountId }) => laneOf(accountId)),
            own.map(({ accountId }) => accountId),
            own.map(({ key }) => key),
          ],
        }),
      ),
    );
    const ends = new Map(rows.map(({ lane, position, head }) => [lane, { lane, position, head }]));
    const opened = rows.flatMap(({ account_id: accountId, key }) =>
      accountId === null || key === null ? [] : [{ accountId, key }],
    );
    return { opened, ends: [...ends.values()] };
  }
}

/** Loads accounts in the snapshot of a transaction that is under way. */
export async function loadAccounts(
  client: pg.ClientBase,
  ids: readonly string[],
  withKeys: boolean,
): Promise<LoadedAccounts> {
  const lanes = [...new Set(ids.map(laneOf))];
  const rows = await queryByLane<AccountRow, string>(client, ids, laneOf, (own) => ({
    name: 'account-rows',
    text: `select wanted.account_id, a.state::text as state, encode(a.head, 'hex') as head, d.error
             from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
             left join ledger_account a on a.lane = wanted.lane and a.account_id = wanted.account_id
             left join damaged_account d
                    on d.projection = '${LEDGER}' and d.lane = wanted.lane
                   and d.account_id = wanted.account_id and not (${OF_UNKNOWN_TYPE})`,
    values: [own.map(laneOf), own],
  }));
  const accounts = new SoundAccounts(ids.map((id) => [id, unopened]));
  for (const { account_id: id, state, head, error } of rows) {
    if (error !== null) accounts.leave(id, error);
    else if (state !== null) accounts.set(id, { state: stateFromJson(state), head });
  }
  if (withKeys) await addOpenedKeys(client, accounts);
  await followTails(client, accounts);
  return { accounts, damaged: accounts.damaged, ends: await readEnds(client, lanes) };
}

/** Keys of an account and a product that are still to be read, between two texts. */
interface WantedKeys {
  readonly id: string;
  readonly after: string;
  readonly until: string;
  readonly opened: OpenedKeys;
}

/** Keys of one query: enough for nearly all that is loaded together, and little for the memory. */
const KEYS_OF_PAGE = 50_000;

/**
 * The keys with the label of each account's window or a later one: by a clock that is ahead a
 * window may have been called before it began, and its keys are complete when the tail turns to it.
 */
async function addOpenedKeys(client: pg.ClientBase, accounts: SoundAccounts): Promise<void> {
  let wanted: WantedKeys[] = [];
  for (const [id, account] of accounts) {
    const { window, products = [] } = account.state;
    if (window === null) continue;
    const opened = OpenedKeys.of();
    accounts.set(id, { ...account, state: { ...account.state, opened } });
    for (const product of [INDEX, ...products]) {
      // The sign after the slash ends the keys of a product.
      wanted.push({ id, after: `/${product}/${window}/`, until: `/${product}0`, opened });
    }
  }
  while (wanted.length > 0) {
    const limit = Math.ceil(KEYS_OF_PAGE / wanted.length);
    const pages = await openedAfter(client, wanted, limit);
    wanted = wanted.flatMap((one, index) => {
      const keys = pages[index] ?? [];
      one.opened.take(keys);
      const after = keys.at(-1);
      return after === undefined || keys.length < limit ? [] : [{ ...one, after }];
    });
  }
}

/** Of each account and product the next keys, at most `limit` each. */
async function openedAfter(
  client: pg.ClientBase,
  wanted: readonly WantedKeys[],
  limit: number,
): Promise<string[][]> {
  const placed = wanted.map((one, nth) => ({ ...one, nth }));
  const rows = await queryByLane<{ nth: number; key: string }, (typeof placed)[number]>(
    client,
    placed,
    ({ id }) => laneOf(id),
    (own) => ({
      name: 'account-opened',
      text: `select wanted.nth, o.key
             from unnest($1::smallint[], $2::uuid[], $3::text[], $6::text[], $5::int[])
                  as wanted (lane, account_id, after, until, nth)
            cross join lateral (
              select key from ledger_opened
               where lane = wanted.lane and account_id = wanted.account_id
                 and key > wanted.after and key < wanted.until
               order by key limit $4) o
            order by wanted.nth, o.key`,
      values: [
        own.map(({ id }) => laneOf(id)),
        own.map(({ id }) => id),
        own.map(({ after }) => after),
        limit,
        own.map(({ nth }) => nth),
        own.map(({ until }) => until),
      ],
    }),
  );
  const pages: string[][] = wanted.map(() => []);
  for (const { nth, key } of rows) pages[nth]?.push(key);
  return pages;
}

/** Follows accounts from their rows to their ends, some events of each at a time. */
async function followTails(client: pg.ClientBase, accounts: SoundAccounts): Promise<void> {
  // The system's own stream stands in the log under an id too, and is no account.
  let behind = [...accounts.keys()].filter((id) => id !== SYSTEM_ACCOUNT);
  while (behind.length > 0) {
    const rows = await readTails(client, behind, accounts);
    behind = rows.flatMap(({ account_id: id, ...row }) => {
      const events = eventsOfRow(id, row);
      for (const event of events) accounts.follow(event);
      return events.length < ROW_EVENTS || accounts.damaged.has(id) ? [] : [id];
    });
  }
}

/** The next events of accounts, as one row of each. */
function readTails(client: pg.ClientBase, ids: readonly string[], accounts: SoundAccounts) {
  type Row = EventsRow & { readonly account_id: string };
  return queryByLane<Row, string>(client, ids, laneOf, (own) => ({
    name: 'account-tails',
    text: `select wanted.account_id, e.*
             from unnest($1::smallint[], $2::uuid[], $3::bigint[])
                  as wanted (lane, account_id, version)
            cross join lateral (
              -- The order keeps this from becoming a join, for which a planner that knows of few
              -- accounts would read the whole index.
              select ${EVENTS_COLUMNS} from (
                select * from event
                 where lane = wanted.lane and account_id = wanted.account_id
                   and account_version > wanted.version
                   and account_version <= wanted.version + ${ROW_EVENTS}
                 order by account_version) e) e`,
    values: [own.map(laneOf), own, own.map((id) => accounts.get(id)?.state.version ?? 0)],
  }));
}

async function readEnds(
  client: pg.ClientBase,
  lanes: readonly number[],
): Promise<Map<number, LaneEnd>> {
  const { rows } = await client.query<LaneEnd & LedgerState>({
    name: 'lane-ends',
    text: `select l.lane, l.lane as of_lane, l.position, encode(l.head, 'hex') as head, c.version,
                  coalesce(c.position > l.position, false) as is_beyond
             from lane l left join checkpoint c on c.projection = 'ledger' and c.lane = l.lane
            where l.lane = any($1::smallint[])`,
    values: [lanes],
  });
  checkLedger(rows);
  return new Map(rows.map(({ lane, position, head }) => [lane, { lane, position, head }]));
}

/**
 * In a rolling upgrade a newer program may have rebuilt the rows: this one cannot read them and
 * must not decide by them. Nor by rows of events that the log does not have any more. Throws
 * LogUnavailableError.
 */
export function checkLedger(rows: readonly LedgerState[]): void {
  const other = rows.find(({ version }) => version !== null && version !== LEDGER_VERSION);
  if (other !== undefined) {
    const known = `this program reads version ${LEDGER_VERSION}`;
    throw new LogUnavailableError(`The ledger is of version ${other.version}: ${known}.`);
  }
  const beyond = rows.find(({ is_beyond: isBeyond }) => isBeyond);
  if (beyond !== undefined) {
    throw new LogUnavailableError(`The ledger of lane ${beyond.of_lane} is beyond the lane's end.`);
  }
}
