import type pg from 'pg';
import { OF_UNKNOWN_TYPE } from '#event-log/damaged-accounts.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { laneOf, SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { LEDGER } from '../projections/ledger.projection.js';
import { stateFromJson } from '../snapshots/account-row.js';
import { unopened } from '../snapshots/account-tail.js';
import { findProfiles } from '../texts/profiles.js';
import { checkLedger, type LedgerState } from './account-loader.js';
import { SoundAccounts } from './damage.js';

/** An account's row with its name, and one of the events after it; without any, nulls. */
type Row = LedgerState &
  (EventRow | { readonly [Column in keyof EventRow]: null }) & {
    readonly id: string;
    /** In the first of its rows. */
    readonly state: string | null;
    readonly head: string;
    readonly error: string | null;
    readonly profile: string | null;
    readonly name: string | null;
  };

// The order of the lateral keeps it from becoming a join, as in `account-tails`.
const PRESENT = `
select wanted.lane as of_lane, wanted.account_id as id, d.error,
       case when e.account_version is null or e.account_version = coalesce(a.version, 0) + 1
            then a.state::text end as state,
       encode(a.head, 'hex') as head, p.id as profile, p.body ->> 'name' as name,
       c.version, coalesce(c.position > l.position, false) as is_beyond, e.*
  from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
  left join ledger_account a on a.lane = wanted.lane and a.account_id = wanted.account_id
  left join damaged_account d
         on d.projection = '${LEDGER}' and d.lane = wanted.lane
        and d.account_id = wanted.account_id and not (${OF_UNKNOWN_TYPE})
  left join lane l on l.lane = wanted.lane
  left join checkpoint c on c.projection = '${LEDGER}' and c.lane = wanted.lane
  left join profile p on p.id = nullif(a.state ->> 'profile', '')::uuid
  left join lateral (
    select ${EVENT_COLUMNS} from event e
     where e.lane = wanted.lane and e.account_id = wanted.account_id
       and e.account_version > coalesce(a.version, 0) and d.error is null
     order by e.account_version) e on true
 order by wanted.account_id, e.account_version`;

/** Accounts without their opened keys, and the names of their profiles. */
export interface PresentStates {
  /** Asked for an account that is damaged, `get` throws an AccountDamagedError. */
  readonly accounts: SoundAccounts;
  /** By the profile. */
  readonly names: ReadonlyMap<string, string | undefined>;
}

/** Reads accounts as of now in one statement, which is one snapshot and one way to the database. */
export async function readPresent(pool: pg.Pool, ids: readonly string[]): Promise<PresentStates> {
  // The system's own stream stands in the log under an id too, and is no account.
  const wanted = ids.filter((id) => id !== SYSTEM_ACCOUNT);
  const values = [wanted.map(laneOf), wanted];
  const { rows } = await pool.query<Row>({ name: 'present-accounts', text: PRESENT, values });
  checkLedger(rows);
  const accounts = new SoundAccounts(wanted.map((id) => [id, unopened]));
  const names = new Map<string, string | undefined>();
  for (const row of rows) {
    const { id, error, state, head, profile, name } = row;
    if (error !== null) accounts.leave(id, error);
    else if (state !== null) accounts.set(id, { state: stateFromJson(state), head });
    if (profile !== null) names.set(profile, name ?? undefined);
    if (row.account_version !== null) accounts.follow(toStoredEvent(row));
  }
  await addNames(pool, accounts, names);
  return { accounts, names };
}

/** Names of rows that an event after the account's row has named. */
async function addNames(
  pool: pg.Pool,
  accounts: SoundAccounts,
  names: Map<string, string | undefined>,
): Promise<void> {
  const profiles = [...accounts.values()].map(({ state }) => state.profile);
  const missing = profiles.filter((profile) => profile !== '' && !names.has(profile));
  if (missing.length === 0) return;
  for (const [id, { name }] of await findProfiles(pool, missing)) names.set(id, name);
}
