import pg from 'pg';
import { conflict } from '#account/refusal.js';
import type { AccountState } from '#account/state.js';
import { momentOfMs } from '#database/moment-of.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { ProblemException } from '#web/problem.js';
import { refusalProblem } from '#web/refusal-problem.js';

/** Far longer than a change may take: who claims an id and has not got it by then never will. */
const CLAIM_MS = 900_000;

/** A claim of an account to an external id. */
export interface Claim {
  readonly externalId: string;
  readonly accountId: string;
  /** Ms since 1970. */
  readonly claimedAt: number;
}

const COLUMNS = `external_id as "externalId", account_id as "accountId",
  (extract(epoch from claimed_at) * 1000)::float8 as "claimedAt"`;

/**
 * External ids, of which no two accounts have the same: an id is claimed before the event that
 * names the row it stands in. A claim whose event never came is taken over after a while.
 */
export class ExternalIds {
  constructor(
    private readonly pool: pg.Pool,
    private readonly loader: AccountLoader,
  ) {}

  /** Throws a ProblemException: `conflict` where another account has the id. */
  async claim(externalId: string, accountId: string): Promise<Claim> {
    const { rows } = await this.pool.query<Claim>(
      `insert into account_external_id (external_id, account_id) values ($1, $2)
       on conflict (external_id) do update set claimed_at = now()
             where account_external_id.account_id = excluded.account_id
       returning ${COLUMNS}`,
      [externalId, accountId],
    );
    const claim = rows[0] ?? (await this.takeOver(externalId, accountId));
    if (claim !== undefined) return claim;
    const detail = 'Another account has this external id: GET /accounts?external_id= shows which.';
    throw new ProblemException(refusalProblem(conflict(detail)));
  }

  /** The same for an account that is to be opened; a retry may find that it was. */
  async claimToOpen(externalId: string, accountId: string): Promise<void> {
    if ((await this.stateOf(accountId)) === undefined) await this.claim(externalId, accountId);
  }

  /** The claim of an account to an id as it stands. */
  async find(externalId: string, accountId: string): Promise<Claim | undefined> {
    const { rows } = await this.pool.query<Claim>(
      `select ${COLUMNS} from account_external_id where external_id = $1 and account_id = $2`,
      [externalId, accountId],
    );
    return rows[0];
  }

  /** Gives a claim up, unless it was made once more since. */
  async release({ externalId, accountId, claimedAt }: Claim): Promise<void> {
    await this.pool.query(
      `delete from account_external_id where external_id = $1 and account_id = $2
          and claimed_at < ${momentOfMs('$3')} + interval '1 millisecond'`,
      [externalId, accountId, claimedAt],
    );
  }

  /** Gives up all claims of an account. */
  async erase(accountId: string): Promise<void> {
    await this.pool.query('delete from account_external_id where account_id = $1', [accountId]);
  }

  private async takeOver(externalId: string, accountId: string): Promise<Claim | undefined> {
    const { rows } = await this.pool.query<Claim & { readonly isOld: boolean }>(
      `select ${COLUMNS}, claimed_at < now() - $2 * interval '1 millisecond' as "isOld"
         from account_external_id where external_id = $1`,
      [externalId, CLAIM_MS],
    );
    const [held] = rows;
    if (held === undefined) return this.claim(externalId, accountId);
    if (!held.isOld || (await this.has(held))) return undefined;
    await this.release(held);
    return this.claim(externalId, accountId);
  }

  /** Whether the account really has the id that it has claimed. */
  private async has({ accountId, externalId }: Claim): Promise<boolean> {
    const state = await this.stateOf(accountId);
    if (state === undefined) return false;
    const profiles = await findProfiles(this.pool, [state.profile]);
    return profiles.get(state.profile)?.external_id === externalId;
  }

  /** Undefined: it was never opened. */
  private async stateOf(accountId: string): Promise<AccountState | undefined> {
    return knownAccount(this.loader, accountId).catch((error: unknown) => {
      if (error instanceof ProblemException) return undefined;
      throw error;
    });
  }
}
