import type pg from 'pg';
import type { KeyDirectory, KeyRecord } from '#account/key-directory.js';
import type { AccountState } from '#account/state.js';
import { AccountLoader } from './account-loader.js';
import { LEDGER } from '../projections/ledger.projection.js';

export interface KeyOwner {
  readonly accountId: string;
  readonly apiKey: number;
}

/** Most owners that are remembered: whom a key belongs to never changes. */
const OWNERS_MAX = 100_000;

/** Every unknown key is looked for among so many events of each damaged account. */
const DAMAGED_EVENTS = 100;

/** Finds accounts by their API keys, always as of now: projected rows and the log's tail. */
export class PostgresKeyDirectory implements KeyDirectory {
  private readonly owners = new Map<string, KeyOwner>();
  private readonly loader: AccountLoader;

  constructor(private readonly pool: pg.Pool) {
    this.loader = new AccountLoader(pool);
  }

  async find(hash: string): Promise<KeyRecord | undefined> {
    const remembered = this.owners.get(hash);
    const record = remembered && (await this.recordOf(hash, remembered));
    if (record?.revoked === false) return record;
    // A log that went back has lost the key, and may have given its number to another one.
    this.owners.delete(hash);
    const owner = await this.lookUp(hash);
    return owner && this.recordOf(hash, owner);
  }

  private async recordOf(hash: string, owner: KeyOwner): Promise<KeyRecord | undefined> {
    this.remember(hash, owner);
    const { accounts } = await this.loader.loadCores([owner.accountId]);
    const account = accounts.get(owner.accountId);
    return account && keyRecord(hash, owner, account.state);
  }

  private remember(hash: string, owner: KeyOwner): void {
    this.owners.delete(hash);
    this.owners.set(hash, owner);
    const oldest = this.owners.keys().next();
    if (this.owners.size > OWNERS_MAX && !oldest.done) this.owners.delete(oldest.value);
  }

  private async lookUp(hash: string): Promise<KeyOwner | undefined> {
    const { rows } = await this.pool.query<KeyOwner>({
      name: 'key-owner',
      text: `select account_id as "accountId", api_key as "apiKey"
               from ledger_api_key where hash = $1`,
      values: [Buffer.from(hash, 'hex')],
    });
    return rows[0] ?? (await this.lookUpWithTail(hash));
  }

  /**
   * A key that was issued a moment ago stands in the log before it stands in the rows. Both are
   * read in one statement: between two, the key could move from one to the other unseen. No rows
   * hold the keys of a damaged account from its damage on: its customers get that error, and not
   * that their key is wrong.
   */
  private async lookUpWithTail(hash: string): Promise<KeyOwner | undefined> {
    const { rows } = await this.pool.query<KeyOwner>({
      name: 'key-owner-tail',
      text: `select account_id as "accountId", api_key as "apiKey"
               from ledger_api_key where hash = $1
             union all
             select e.account_id, (e.data ->> 'api_key')::int
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
             select e.account_id, (e.data ->> 'api_key')::int
               from damaged_account d
               left join ledger_account a using (lane, account_id)
              cross join lateral (
                select * from event
                 where lane = d.lane and account_id = d.account_id and type = 'ApiKeyIssued'
                   and account_version > coalesce(a.version, 0)
                   and account_version <= coalesce(a.version, 0) + ${DAMAGED_EVENTS}
                   and data ->> 'hash' = $2
                 order by account_version) e
              where d.projection = '${LEDGER}'`,
      values: [Buffer.from(hash, 'hex'), hash],
    });
    return rows[0];
  }
}

/** An account's key as the API needs it; undefined: the account never issued it. */
export function keyRecord(
  hash: string,
  owner: KeyOwner,
  state: AccountState,
): KeyRecord | undefined {
  const key = state.apiKeys.find(({ ordinal }) => ordinal === owner.apiKey);
  if (owner.apiKey > state.lastApiKey || (key !== undefined && key.hash !== hash)) return undefined;
  return {
    accountId: owner.accountId,
    apiKey: owner.apiKey,
    keyId: key?.id ?? '',
    scopes: key?.scopes ?? [],
    expiresAt: key?.expiresAt ?? null,
    revoked: key === undefined,
    suspended: state.suspended,
    test: state.test,
    testClock: state.testClock,
    rateLimit: state.rateLimit,
  };
}
