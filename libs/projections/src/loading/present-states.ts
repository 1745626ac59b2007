import type pg from 'pg';
import { OF_UNKNOWN_TYPE } from '#event-log/damaged-accounts.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { laneOf, SYSTEM_ACCOUNT, type StoredEvent } from '#event-log/event-log.js';
import { isSameEvent } from '#event-log/hash-chain.js';
import { LEDGER } from '../projections/ledger.projection.js';
import { stateFromJson, type LoadedAccount } from '../snapshots/account-row.js';
import { unopened, withoutKeys } from '../snapshots/account-tail.js';
import { findProfiles, type Profile } from '../texts/profiles.js';
import { checkLedger, type LedgerState } from './account-loader.js';
import { SoundAccounts } from './damage.js';
import { queryAnsweringFor } from '#event-log/query-answering.js';

/** An account's row with its profile, and one of its events from there on; without any, nulls. */
type Row = LedgerState &
  (EventRow | { readonly [Column in keyof EventRow]: null }) & {
    readonly id: string;
    /** In the first of its rows. */
    readonly state: string | null;
    readonly head: string;
    readonly error: string | null;
    readonly profile: string | null;
    readonly body: Profile | null;
  };

// The order of the lateral keeps it from becoming a join, as in `account-tails`.
const PRESENT = `
select wanted.lane as of_lane, wanted.account_id as id, d.error,
       case when e.account_version is null or e.account_version = a.version
            then a.state::text end as state,
       encode(a.head, 'hex') as head, p.id as profile, p.body,
       c.version, coalesce(c.position > l.position, false) as is_beyond, e.*
  from unnest($1::smallint[], $2::uuid[], $3::int8[], $4::uuid[])
         as wanted (lane, account_id, known, profile)
  left join ledger_account a
         on a.lane = wanted.lane and a.account_id = wanted.account_id and wanted.known is null
  left join damaged_account d
         on d.projection = '${LEDGER}' and d.lane = wanted.lane
        and d.account_id = wanted.account_id and not (${OF_UNKNOWN_TYPE})
  left join lane l on l.lane = wanted.lane
  left join checkpoint c on c.projection = '${LEDGER}' and c.lane = wanted.lane
  left join profile p on p.id = coalesce(wanted.profile, nullif(a.state ->> 'profile', '')::uuid)
  left join lateral (
    select ${EVENT_COLUMNS} from event e
     where e.lane = wanted.lane and e.account_id = wanted.account_id
       and e.account_version >= coalesce(wanted.known, a.version, 0) and d.error is null
     order by e.account_version) e on true
 order by wanted.account_id, e.account_version`;

/** Accounts without their opened keys, and their profiles. */
export interface PresentStates {
  /** Asked for an account that is damaged or was not read, `get` throws. */
  readonly accounts: SoundAccounts;
  /** By their ids. */
  readonly profiles: ReadonlyMap<string, Profile>;
}

/** An account as it was read last, with the last event that it holds. */
interface ReadAccount {
  readonly account: LoadedAccount;
  readonly last: StoredEvent;
}

/** Accounts that are remembered; each takes some KB. */
const KNOWN_MAX = 2_000;

/**
 * Reads accounts as of now in one statement, which is one snapshot and one way to the database. An
 * account that was read before is read from its last event on: that event says whether the log is
 * still the same one.
 */
export class PresentReader {
  /** The one that was read longest ago comes first. */
  private readonly known = new Map<string, ReadAccount>();

  constructor(private readonly pool: pg.Pool) {}

  async read(ids: readonly string[]): Promise<PresentStates> {
    // The system's own stream stands in the log under an id too, and is no account.
    const wanted = ids.filter((id) => id !== SYSTEM_ACCOUNT);
    const accounts = new SoundAccounts(wanted.map((id) => [id, unopened]));
    const profiles = new Map<string, Profile>();
    await this.readInto(accounts, profiles, wanted);
    await addProfiles(this.pool, accounts, profiles);
    return { accounts, profiles };
  }

  private async readInto(
    accounts: SoundAccounts,
    profiles: Map<string, Profile>,
    ids: readonly string[],
  ): Promise<void> {
    const known = new Map(ids.map((id) => [id, this.known.get(id)]));
    const { rows, missed } = await queryAnsweringFor<Row, string>(
      this.pool,
      ids,
      laneOf,
      (own) => ({
        name: 'present-accounts',
        text: PRESENT,
        values: [
          own.map(laneOf),
          own,
          own.map((id) => known.get(id)?.last.accountVersion ?? null),
          own.map((id) => known.get(id)?.account.state.profile || null),
        ],
      }),
    );
    for (const [id, error] of missed) accounts.miss(id, error);
    checkLedger(rows);
    const read = ids.filter((id) => !missed.has(id));
    const rowsOf = new Map(read.map((id): [string, Row[]] => [id, []]));
    for (const row of rows) {
      rowsOf.get(row.id)?.push(row);
      if (row.profile !== null && row.body !== null) profiles.set(row.profile, row.body);
    }
    const changed = read.filter(
      (id) => !this.take(accounts, id, rowsOf.get(id) ?? [], known.get(id)?.last),
    );
    if (changed.length > 0) await this.readInto(accounts, profiles, changed);
  }

  /** Takes what was read of an account; false where the log has another event than is known. */
  private take(
    accounts: SoundAccounts,
    id: string,
    rows: readonly Row[],
    asked: StoredEvent | undefined,
  ): boolean {
    const known = this.known.get(id);
    this.known.delete(id);
    const { error = null, state = null, head = '' } = rows[0] ?? {};
    if (error !== null) {
      accounts.leave(id, error);
      return true;
    }
    const events = rows.flatMap((row) =>
      row.account_version === null ? [] : [toStoredEvent(row)],
    );
    const [first] = events;
    if (asked !== undefined) {
      if (known === undefined || first === undefined || !isSameEvent(first, asked)) return false;
      accounts.set(id, known.account);
    } else if (state !== null) {
      accounts.set(id, { state: stateFromJson(state), head });
    }
    // What another read has followed meanwhile changes nothing.
    for (const event of events) accounts.follow(event);
    if (!accounts.damaged.has(id)) this.remember(id, accounts.get(id), events.at(-1), known);
    return true;
  }

  private remember(
    id: string,
    account: LoadedAccount | undefined,
    newest: StoredEvent | undefined,
    known: ReadAccount | undefined,
  ): void {
    const last = [newest, known?.last].find(
      (event) => event?.accountVersion === account?.state.version,
    );
    if (account === undefined || last === undefined) return;
    this.known.set(id, { account: withoutKeys(account), last });
    for (const oldest of this.known.keys()) {
      if (this.known.size <= KNOWN_MAX) break;
      this.known.delete(oldest);
    }
  }
}

/** Rows that an event after the account's row has named. */
async function addProfiles(
  pool: pg.Pool,
  accounts: SoundAccounts,
  profiles: Map<string, Profile>,
): Promise<void> {
  const wanted = [...accounts.values()].map(({ state }) => state.profile);
  const missing = wanted.filter((id) => id !== '' && !profiles.has(id));
  if (missing.length === 0) return;
  for (const [id, profile] of await findProfiles(pool, missing)) profiles.set(id, profile);
}
