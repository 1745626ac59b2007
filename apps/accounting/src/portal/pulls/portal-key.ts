import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import pg from 'pg';
import { momentOf } from '#account/state.js';
import type { Clock } from '#calendar/clock.js';
import { AccountLoader } from '#ledger/account-loader.js';
import { problem, ProblemException } from '#web/problem.js';
import type { Change } from '../../accounts/change.js';
import { IssueApiKeyCommand } from '../../accounts/issue-api-key.handler.js';
import { knownAccount } from '../../accounts/known-account.js';
import { CLOCK } from '../../accounts/ports.js';
import { RevokeApiKeyCommand } from '../../accounts/revoke-api-key.handler.js';
import { DELIVERIES, type Deliveries } from '../../deliveries/deliveries.js';
import { SealedOtherwiseError } from '../../deliveries/secret-box.js';

const LABEL = 'Portal';

interface KeptKey {
  readonly key_id: string;
  readonly secret_id: string;
}

/**
 * The API key that an account's pulls from the portal are made with. It is made at the first pull,
 * stands in the list of keys like any other, and its secret is sealed.
 */
@Injectable()
export class PortalKey {
  /** Pulls at once wait for the one key that is being made. */
  private readonly making = new Map<string, Promise<string>>();

  constructor(
    @Inject(CommandBus) private readonly commands: CommandBus,
    @Inject(AccountLoader) private readonly loader: AccountLoader,
    @Inject(pg.Pool) private readonly pool: pg.Pool,
    @Inject(DELIVERIES) private readonly deliveries: Deliveries,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * The key in clear. `change`: who asks for it; null: whoever asks may not have one made. Throws a
   * ProblemException (`conflict`) for a key that was revoked: the next one to ask gets another.
   */
  async secret(accountId: string, change: Change | null): Promise<string> {
    const kept = await this.read(accountId);
    if (kept !== undefined) return this.open(accountId, kept);
    if (change === null) throw conflict(NOT_MADE);
    const underWay = this.making.get(accountId);
    if (underWay !== undefined) return underWay;
    const made = this.make(accountId, change).finally(() => this.making.delete(accountId));
    this.making.set(accountId, made);
    return made;
  }

  /** The answer to a key that the API does not take any more. */
  async forgetRevoked(accountId: string): Promise<never> {
    const kept = await this.read(accountId);
    if (kept !== undefined) await this.forget(accountId, kept);
    throw conflict(REVOKED);
  }

  private async open(accountId: string, kept: KeptKey): Promise<string> {
    const state = await knownAccount(this.loader, accountId);
    const at = momentOf(state, this.clock.now());
    const key = state.apiKeys.find(({ id }) => id === kept.key_id);
    const isOver = key === undefined || key.revokedAt !== null;
    if (isOver || (key.expiresAt !== null && key.expiresAt <= at)) {
      await this.forget(accountId, kept);
      throw conflict(REVOKED);
    }
    try {
      const [secret = ''] = await this.deliveries.secrets.read([{ id: kept.secret_id }]);
      return secret;
    } catch (error) {
      if (!(error instanceof SealedOtherwiseError)) throw error;
      await this.forget(accountId, kept);
      throw conflict(UNREADABLE);
    }
  }

  private async make(accountId: string, change: Change): Promise<string> {
    // A change of its own: the pull's idempotency key and precondition are not about it.
    const { by, requestId, input } = change;
    const own: Change = { by, requestId, input, idempotencyKey: null };
    const body = { label: LABEL, scopes: ['data' as const], expires_at: null };
    const { view } = await this.commands.execute(new IssueApiKeyCommand(accountId, own, body));
    const { id, key } = view;
    if (key === undefined) throw new Error(`API key ${id} was made without a secret.`);
    const secret = await this.deliveries.secrets.save(key);
    const { rowCount } = await this.pool.query(
      `insert into portal_api_key (account_id, key_id, secret_id) values ($1, $2, $3)
       on conflict (account_id) do nothing`,
      [accountId, id, secret.id],
    );
    if (rowCount === 1) return key;
    // Another process was first.
    await this.deliveries.secrets.forget(secret);
    const reason = { reason: 'Another one was made at the same time.' };
    await this.commands.execute(new RevokeApiKeyCommand(accountId, id, own, reason));
    return this.secret(accountId, null);
  }

  private async read(accountId: string): Promise<KeptKey | undefined> {
    const { rows } = await this.pool.query<KeptKey>({
      name: 'portal-api-key',
      text: 'select key_id, secret_id from portal_api_key where account_id = $1',
      values: [accountId],
    });
    return rows[0];
  }

  private async forget(
    accountId: string,
    { key_id: keyId, secret_id: id }: KeptKey,
  ): Promise<void> {
    const gone = 'delete from portal_api_key where account_id = $1 and key_id = $2';
    await this.pool.query(gone, [accountId, keyId]);
    await this.deliveries.secrets.forget({ id });
  }
}

const AGAIN = 'A manager who pulls once more has another one made.';
const REVOKED = `The API key "${LABEL}" was revoked, or has expired. ${AGAIN}`;
const UNREADABLE = `The secret of the API key "${LABEL}" cannot be read any more. ${AGAIN}`;
const NOT_MADE = `The account has no API key "${LABEL}" yet: a manager's first pull or quote makes it.`;

function conflict(detail: string): ProblemException {
  return new ProblemException(problem('conflict', detail));
}
