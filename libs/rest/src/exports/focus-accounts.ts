import type pg from 'pg';
import { laneOf, SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { wantedAccounts } from '#ledger/reads/account-names.js';
import { queryByGroup } from '#event-log/query-by-group.js';

/** An account, with what a reader of costs knows it by. */
export interface ListedAccount {
  readonly id: string;
  readonly name: string;
  readonly currency: string;
}

interface Row extends ListedAccount {
  readonly lane: number;
}

const ACCOUNTS_AT_ONCE = 200;
const COLUMNS = `a.lane, a.account_id as id, a.state ->> 'currency' as currency,
                 coalesce(p.body ->> 'name', a.account_id::text) as name`;
const FROM = `ledger_account a left join profile p on p.id = (a.state ->> 'profile')::uuid`;

/** Reads accounts: all, some at a time, or those with these ids. */
export const focusAccounts = {
  async *all(
    pool: pg.Pool,
    { test, accountId = null }: { readonly test: boolean; readonly accountId?: string | null },
  ): AsyncGenerator<readonly ListedAccount[]> {
    let after: Pick<Row, 'lane' | 'id'> | undefined = { lane: 0, id: SYSTEM_ACCOUNT };
    while (after !== undefined) {
      const { rows }: pg.QueryResult<Row> = await pool.query<Row>({
        name: 'focus-accounts',
        text: `select ${COLUMNS} from ${FROM}
                where (a.lane, a.account_id) > ($1::smallint, $2::uuid)
                  and ($3 or not (a.state ->> 'test')::boolean)
                  and ($4::uuid is null or a.account_id = $4)
                order by a.lane, a.account_id limit ${ACCOUNTS_AT_ONCE}`,
        values: [after.lane, after.id, test, accountId],
      });
      if (rows.length > 0) yield rows;
      after = rows.length < ACCOUNTS_AT_ONCE ? undefined : rows.at(-1);
    }
  },

  async byIds(pool: pg.Pool, ids: readonly string[]): Promise<readonly ListedAccount[]> {
    const rows = await queryByGroup<ListedAccount, string>(pool, ids, laneOf, (own, inGroup) => ({
      name: 'focus-accounts-by-ids',
      text: `select wanted.account_id as id,
                    coalesce(a.state ->> 'currency', e.data ->> 'currency') as currency,
                    coalesce(p.body ->> 'name', wanted.account_id::text) as name
               from ${wantedAccounts(inGroup)}`,
      values: [own.map(laneOf), own],
    }));
    return rows;
  },
};
