import type pg from 'pg';
import { type AccountState, isOver, momentOf } from '#account/state.js';
import type { Clock } from '#calendar/clock.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { findIssuedKey } from '#projections/usage/api-keys.js';
import { problem, ProblemException } from '#web/problem.js';
import { inputDigest, type Change } from '#deciding/changes/change.js';
import { commandIdOf } from '#deciding/command-id.js';
import type { ApiKeys } from '../api-keys/api-keys.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { drawnApiKey, newApiKey, type NewApiKey } from '../api-keys/new-api-key.js';
import { type Deliveries } from '#deliveries/deliveries.js';
import { OtherKeyError } from '#projections/texts/secret-box.js';

const LABEL = 'Portal';

interface KeptKey {
  readonly key_id: string;
  readonly secret_id: string;
}

/** The manager who pulls through the portal, and by which request. */
export interface Asker {
  readonly by: string;
  readonly requestId: string;
}

/**
 * The API key that an account's pulls from the portal are made with. It is made with the first of
 * them, stands in the list of keys like any other, and its secret is encrypted.
 */
export class PortalKey {
  /** Pulls at once wait for the one key that is being made. */
  private readonly making = new Map<string, Promise<string>>();

  constructor(
    private readonly keys: ApiKeys,
    private readonly loader: AccountLoader,
    private readonly pool: pg.Pool,
    private readonly deliveries: Deliveries,
    private readonly clock: Clock,
  ) {}

  /**
   * The key in clear. Throws a ProblemException (`conflict`) for a key that was revoked: the
   * next request gets another key.
   */
  async secret(accountId: string, asker: Asker): Promise<string> {
    const kept = await this.read(accountId);
    if (kept !== undefined) return this.open(accountId, kept, asker);
    const underWay = this.making.get(accountId);
    if (underWay !== undefined) return underWay;
    const made = this.make(accountId, asker).finally(() => this.making.delete(accountId));
    this.making.set(accountId, made);
    return made;
  }

  /** The answer to a key that the API does not take any more. */
  async refuseRevoked(accountId: string): Promise<never> {
    const kept = await this.read(accountId);
    return this.refuse(accountId, kept, REVOKED);
  }

  /** Ordinal of the account's key at a moment; null where none is in force, and none is made. */
  async active(
    accountId: string,
    { apiKeys }: Pick<AccountState, 'apiKeys'>,
    at: number,
  ): Promise<number | null> {
    const kept = await this.read(accountId);
    const key = apiKeys.find(({ id }) => id === kept?.key_id);
    return key === undefined || isOver(key, at) ? null : key.ordinal;
  }

  private async open(accountId: string, kept: KeptKey, asker: Asker): Promise<string> {
    // Looked for before the state is read: one that is issued in between is no revoked one.
    const issued = await findIssuedKey(this.pool, accountId, kept.key_id);
    const state = await knownAccount(this.loader, accountId);
    const at = momentOf(state, this.clock.now());
    const key = state.apiKeys.find(({ id }) => id === kept.key_id);
    // The process that kept it may have ended before it was issued.
    const isNew = !key && !issued;
    const isActive = key !== undefined && !isOver(key, at);
    if (!isActive && !isNew) return this.refuse(accountId, kept, REVOKED);
    try {
      const [secret] = await this.deliveries.secrets.read([{ id: kept.secret_id }]);
      if (secret === undefined) return await this.refuse(accountId, kept, UNREADABLE);
      if (isNew) await this.issue(accountId, kept, drawnApiKey(secret), asker);
      return secret;
    } catch (error) {
      if (!(error instanceof OtherKeyError)) throw error;
      return this.refuse(accountId, kept, UNREADABLE);
    }
  }

  /** Kept first, then issued: no key is ever issued that nobody knows. */
  private async make(accountId: string, asker: Asker): Promise<string> {
    const { testClock } = await knownAccount(this.loader, accountId);
    const drawn = newApiKey(testClock !== null);
    const secret = await this.deliveries.secrets.save(drawn.key);
    const kept = { key_id: commandIdOf(accountId, nameOf(secret.id)), secret_id: secret.id };
    const { rowCount } = await this.pool.query(
      `insert into portal_api_key (account_id, key_id, secret_id) values ($1, $2, $3)
       on conflict (account_id) do nothing`,
      [accountId, kept.key_id, kept.secret_id],
    );
    if (rowCount === 1) {
      await this.issue(accountId, kept, drawn, asker);
      return drawn.key;
    }
    // Another process was first.
    await this.deliveries.secrets.forget(secret);
    const first = await this.read(accountId);
    if (first === undefined) throw conflict(REVOKED);
    return this.open(accountId, first, asker);
  }

  /** Whoever asks for it, and however often, it is issued once. */
  private async issue(
    accountId: string,
    kept: KeptKey,
    drawn: NewApiKey,
    { by, requestId }: Asker,
  ): Promise<void> {
    // A change of its own: the pull's idempotency key and precondition are not about it.
    const idempotencyKey = nameOf(kept.secret_id);
    const input = inputDigest('POST', '/portal/v1/api-keys', idempotencyKey, null);
    const own: Change = { by, requestId, input, idempotencyKey };
    const body = { label: LABEL, scopes: ['data' as const], expires_at: null };
    await this.keys.issue(accountId, own, body, { drawn });
  }

  private async read(accountId: string): Promise<KeptKey | undefined> {
    const { rows } = await this.pool.query<KeptKey>({
      name: 'portal-api-key',
      text: 'select key_id, secret_id from portal_api_key where account_id = $1',
      values: [accountId],
    });
    return rows[0];
  }

  /** Drops the stored key, so that the next pull makes another, then refuses. */
  private async refuse(
    accountId: string,
    kept: KeptKey | undefined,
    detail: string,
  ): Promise<never> {
    if (kept !== undefined) {
      const gone = 'delete from portal_api_key where account_id = $1 and key_id = $2';
      await this.pool.query(gone, [accountId, kept.key_id]);
      await this.deliveries.secrets.forget({ id: kept.secret_id });
    }
    throw conflict(detail);
  }
}

/** The idempotency key under which a kept key is issued. */
function nameOf(secretId: string): string {
  return `portal api key ${secretId}`;
}

const AGAIN = 'Pulling once more makes another one.';
const REVOKED = `The API key "${LABEL}" was revoked, or has expired. ${AGAIN}`;
const UNREADABLE = `The secret of the API key "${LABEL}" cannot be read any more. ${AGAIN}`;

function conflict(detail: string): ProblemException {
  return new ProblemException(problem('conflict', detail));
}
