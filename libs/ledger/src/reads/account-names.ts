import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';

/**
 * Names of accounts by id, as the ledger's rows have them, and without a row yet as the account was
 * opened; erased ones are absent.
 */
export async function readAccountNames(
  db: pg.Pool | pg.ClientBase,
  accountIds: Iterable<string>,
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(accountIds)];
  const { rows } = await db.query<{ id: string; name: string }>({
    name: 'account-names',
    text: `select wanted.account_id as id, p.body ->> 'name' as name
             from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
             left join ledger_account a using (lane, account_id)
             left join event e on a.account_id is null and e.lane = wanted.lane
                   and e.account_id = wanted.account_id and e.account_version = 1
             join profile p on p.id
                  = coalesce(nullif(a.state ->> 'profile', ''), e.data -> 'profile' ->> 'id')::uuid
            where p.body ->> 'name' is not null`,
    values: [ids.map(laneOf), ids],
  });
  return new Map(rows.map(({ id, name }) => [id, name]));
}
