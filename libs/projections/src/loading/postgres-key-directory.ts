import type pg from 'pg';
import type { KeyDirectory } from '#account/key-directory.js';
import { withTransaction } from '#database/database.js';
import { laneOf } from '#event-log/event-log.js';
import { MILESTONE_EVERY } from '#event-log/milestones.js';
import { readKeyEnd } from '../usage/api-keys.js';
import { LEDGER } from '../projections/ledger.projection.js';
import { loadAccounts } from './account-loader.js';
import {
  afterChanges,
  followedAccount,
  type Change,
  type FollowedAccount,
} from './followed-account.js';
import {
  queryAnswering,
  queryAnsweringAtOnce,
  queryAnsweringFor,
  requireComplete,
} from '#event-log/query-answering.js';

interface Changes {
  /** By account. */
  readonly changes: ReadonlyMap<string, readonly Change[]>;
  /** Accounts that could not be read, with why. */
  readonly missed: ReadonlyMap<FollowedAccount, Error>;
}

interface KeyOwner {
  readonly account_id: string;
}

/** Every unknown key is looked for among so many events of each damaged account after its row. */
const DAMAGED_EVENTS = MILESTONE_EVERY + 100;
/** Accounts that are followed in one statement. */
const FOLLOWED_MAX = 500;

/** Columns of a `Change`, of the table `event` under the alias `e`. */
const CHANGE = `e.account_version, e.type, (extract(epoch from e.at) * 1000)::int8 as at, e.call_id`;

/** Finds accounts by their API keys, always as of now, however far behind the projections are. */
export class PostgresKeyDirectory implements KeyDirectory {
  constructor(private readonly pool: pg.Pool) {}

  async find(hash: string): Promise<FollowedAccount | undefined> {
    const accountId = await this.ownerOf(hash);
    if (accountId === undefined) return undefined;
    return withTransaction(
      this.pool,
      async (client) => {
        const { accounts } = await loadAccounts(client, [accountId], false);
        const state = accounts.get(accountId)?.state;
        const last = await lastChange(client, accountId);
        const found = state && last && followedAccount(accountId, state, last);
        if (found === undefined || found.keys.has(hash)) return found;
        return { ...found, end: await readKeyEnd(client, accountId, hash) };
      },
      'repeatable read',
    );
  }

  async follow(
    accounts: readonly FollowedAccount[],
  ): Promise<readonly (FollowedAccount | Error | undefined)[]> {
    const followed: (FollowedAccount | Error | undefined)[] = [];
    for (let index = 0; index < accounts.length; index += FOLLOWED_MAX) {
      const part = accounts.slice(index, index + FOLLOWED_MAX);
      const { changes, missed } = await this.changesSince(part);
      const follow = (one: FollowedAccount) => afterChanges(one, changes.get(one.accountId) ?? []);
      followed.push(...part.map((one) => missed.get(one) ?? follow(one)));
    }
    return followed;
  }

  /** By account: its last known change and those after it. Calls are not read. */
  private async changesSince(accounts: readonly FollowedAccount[]): Promise<Changes> {
    type Row = Change & { readonly account_id: string };
    const { rows, missed } = await queryAnsweringFor<Row, FollowedAccount>(
      this.pool,
      accounts,
      ({ accountId }) => laneOf(accountId),
      (own) => ({
        name: 'changes-since',
        text: `select e.account_id, ${CHANGE},
                    case when e.account_version > wanted.version then e.data::text end as data
               from unnest($1::smallint[], $2::uuid[], $3::bigint[])
                 as wanted (lane, account_id, version)
              cross join lateral (
                -- The order keeps this from becoming a join that reads all there is of some index.
                select * from event
                 where lane = wanted.lane and account_id = wanted.account_id
                   and account_version >= wanted.version and type <> 'CallMade'
                 order by account_version) e`,
        values: [
          own.map(({ accountId }) => laneOf(accountId)),
          own.map(({ accountId }) => accountId),
          own.map(({ last }) => last.account_version),
        ],
      }),
    );
    const changes = new Map<string, Change[]>();
    for (const row of rows) {
      const known = changes.get(row.account_id);
      if (known === undefined) changes.set(row.account_id, [row]);
      else known.push(row);
    }
    return { changes, missed };
  }

  private async ownerOf(hash: string): Promise<string | undefined> {
    const { rows } = await queryAnsweringAtOnce<KeyOwner>(this.pool, {
      name: 'key-owner',
      text: `select account_id from ledger_api_key k where hash = $1`,
      values: [Buffer.from(hash, 'hex')],
    });
    return rows[0]?.account_id ?? (await this.ownerWithTail(hash));
  }

  /**
   * A key that was issued a moment ago stands in the log before it stands in the rows. Both are
   * read in one statement: between two, the key could move from one to the other unseen. No rows
   * hold the keys of a damaged account from its damage on: its customers get that error, and not
   * that their key is wrong.
   */
  private async ownerWithTail(hash: string): Promise<string | undefined> {
    const answers = await queryAnswering<KeyOwner>(this.pool, {
      name: 'key-owner-tail',
      text: `select account_id from ledger_api_key k where hash = $1
             union all
             select e.account_id
               from lane l
               left join checkpoint c on c.lane = l.lane and c.projection = '${LEDGER}'
              -- The order keeps this from becoming a join that reads all there is of some index.
              cross join lateral (
                select * from event
                 where lane = l.lane and position > coalesce(c.position, 0)
                   and type = 'ApiKeyIssued' and data ->> 'hash' = $2
                 order by position) e
              where l.position > coalesce(c.position, 0)
             union all
             select e.account_id
               from damaged_account d
               left join ledger_account a on a.lane = d.lane and a.account_id = d.account_id
              cross join lateral (
                select * from event
                 where lane = d.lane and account_id = d.account_id
                   and type = 'ApiKeyIssued'
                   and account_version > coalesce(a.version, 0)
                   and account_version <= coalesce(a.version, 0) + ${DAMAGED_EVENTS}
                   and data ->> 'hash' = $2
                 order by account_version) e
              where d.projection = '${LEDGER}'`,
      values: [Buffer.from(hash, 'hex'), hash],
    });
    // The key may be one of an account whose lane does not answer.
    const [owner] = answers.rows.length > 0 ? answers.rows : requireComplete(answers);
    return owner?.account_id;
  }
}

/** The newest event of an account that is no call. */
async function lastChange(client: pg.ClientBase, accountId: string): Promise<Change | undefined> {
  const { rows } = await client.query<Change>({
    name: 'last-change',
    text: `select ${CHANGE}, e.data::text as data from event e
            where lane = $1 and account_id = $2 and type <> 'CallMade'
            order by account_version desc limit 1`,
    values: [laneOf(accountId), accountId],
  });
  return rows[0];
}
