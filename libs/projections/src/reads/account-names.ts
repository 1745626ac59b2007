import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/**
 * Accounts of these lanes ($1) and ids ($2): `a` is the ledger's row; without one yet `e` is the
 * opening. `p` is the profile.
 */
export const WANTED_ACCOUNTS = `
  unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
  left join ledger_account a on a.lane = wanted.lane and a.account_id = wanted.account_id
  left join event e on a.account_id is null and e.lane = wanted.lane
        and e.account_id = wanted.account_id and e.account_version = 1
  left join profile p on p.id
       = coalesce(nullif(a.state ->> 'profile', ''), e.data -> 'profile' ->> 'id')::uuid`;

/**
 * Names of accounts by id, as the ledger's rows have them, and without a row yet as the account was
 * opened; erased ones are absent.
 */
export async function readAccountNames(
  db: pg.Pool | pg.ClientBase,
  accountIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)];
  const rows = await queryByLane<{ id: string; name: string }, string>(db, ids, laneOf, (own) => ({
    name: 'account-names',
    text: `select wanted.account_id as id, p.body ->> 'name' as name
             from ${WANTED_ACCOUNTS}
            where p.body ->> 'name' is not null`,
    values: [own.map(laneOf), own],
  }));
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Items with the names of their accounts; null: erased. */
export async function withAccountNames<Item extends { readonly account_id: string }>(
  db: pg.Pool | pg.ClientBase,
  items: readonly Item[],
): Promise<readonly (Item & { readonly account_name: string | null })[]> {
  const names = await readAccountNames(
    db,
    items.map(({ account_id: id }) => id),
  );
  return items.map((item) => ({ ...item, account_name: names.get(item.account_id) ?? null }));
}
