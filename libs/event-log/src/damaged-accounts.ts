import type pg from 'pg';
import type { StoredEvent } from './event-log.js';

/** An account whose rows of a projection stand still before an event that cannot be applied. */
export interface DamagedAccount {
  readonly projection: string;
  readonly lane: number;
  readonly accountId: string;
  /** Of the event. */
  readonly position: number;
  /** Its version in the account. */
  readonly version: number;
  readonly error: string;
}

type Place = Pick<StoredEvent, 'lane' | 'accountId'>;

/** Lanes and ids of accounts. */
export type DamagedPlaces = ReadonlySet<string>;

const COLUMNS = `d.projection, d.lane, d.account_id as "accountId", d.position, d.version, d.error`;

/**
 * SQL for whether a damaged account `d` was left before an event of an unknown type. What another
 * version of the program does not know, this one may.
 */
export const OF_UNKNOWN_TYPE = `d.error like 'UnknownEventError%'`;

/** Which accounts among these events a projection has left before. */
export async function damagedAccounts(
  client: pg.ClientBase,
  projection: string,
  events: readonly Place[],
): Promise<DamagedPlaces> {
  const { rows } = await client.query<Place>({
    name: 'damaged-accounts',
    text: `select lane, account_id as "accountId" from damaged_account
            where projection = $1 and lane = any ($2)`,
    values: [projection, [...new Set(events.map(({ lane }) => lane))]],
  });
  return new Set(rows.map(placeOf));
}

/** Whether an event is of one of these accounts. */
export function isDamaged(damaged: DamagedPlaces, event: Place): boolean {
  return damaged.has(placeOf(event));
}

/** Writes down that a projection leaves an account from this event on. */
export async function noteDamage(
  client: pg.ClientBase,
  projection: string,
  { lane, accountId, position, accountVersion }: StoredEvent,
  error: unknown,
): Promise<void> {
  await client.query(
    `insert into damaged_account (projection, lane, account_id, position, version, error)
     values ($1, $2, $3, $4, $5, $6) on conflict do nothing`,
    [projection, lane, accountId, position, accountVersion, String(error)],
  );
}

/** All that is damaged, or what is in one lane; at most `limit`, in the order of the log. */
export async function readDamage(
  db: pg.Pool | pg.ClientBase,
  { lane = null, limit = null }: { readonly lane?: number | null; readonly limit?: number | null },
): Promise<readonly DamagedAccount[]> {
  const { rows } = await db.query<DamagedAccount>({
    name: 'damage-read',
    text: `select ${COLUMNS} from damaged_account d where $1::int2 is null or d.lane = $1
            order by d.lane, d.position, d.projection limit $2::int8`,
    values: [lane, limit],
  });
  return rows;
}

function placeOf({ lane, accountId }: Place): string {
  return `${lane} ${accountId}`;
}
