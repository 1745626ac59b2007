import type pg from 'pg';
import { isOver, momentOf } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import type { Clock } from '#calendar/clock.js';
import type { AccountChanges } from '#deciding/changes/account-changes.js';
import type { Change } from '#deciding/changes/change.js';
import { knownAccount } from '#deciding/changes/known-account.js';
import { commandIdOf } from '#deciding/command-id.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { findIssuedKey, readApiKeys } from '#projections/usage/api-keys.js';
import { readKeyUses } from '#projections/usage/key-uses.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { pageBy } from '../operation/queries.js';
import { problem, ProblemException } from '#web/problem.js';
import type { PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';
import type { Outcome } from '../operation/operation.js';
import { issuedApiKey, listedApiKey } from './api-key-view.js';
import type { ApiKey, IssueApiKey, IssuedApiKey } from './api-key.schemas.js';
import { newApiKey, type NewApiKey } from './new-api-key.js';

const HOUR_MS = 3_600_000;

/** The API keys of accounts: read, issued, revoked and replaced. */
export class ApiKeys {
  constructor(
    private readonly changes: AccountChanges,
    private readonly loader: AccountLoader,
    private readonly pool: pg.Pool,
    private readonly calendar: Calendar,
    private readonly clock: Clock,
  ) {}

  /** In the order in which they were issued. */
  async list(accountId: string, query: PageQuery): Promise<Table<ApiKey>> {
    const page = pageBy(query);
    const state = await knownAccount(this.loader, accountId);
    const { items: keys, next } = page(await readApiKeys(this.pool, accountId));
    const rows = keys.map(({ profile }) => profile);
    const profiles = await findProfiles(this.pool, rows);
    const history = { accountId, version: state.version };
    const uses = await readKeyUses(this.pool, history, this.calendar);
    const at = momentOf(state, this.clock.now());
    const items = keys.map((key) => {
      const label = profiles.get(key.profile)?.label ?? null;
      return listedApiKey(key, label, at, uses.get(key.ordinal) ?? null);
    });
    return { items, next };
  }

  /**
   * `drawn`: the key, where it was drawn and kept before it is issued. `issuer`: id of the API key
   * that asks for it.
   */
  async issue(
    accountId: string,
    change: Change,
    { label, scopes, expires_at: expiresAt }: IssueApiKey,
    { drawn, issuer }: { readonly drawn?: NewApiKey; readonly issuer?: string } = {},
  ): Promise<Outcome<IssuedApiKey>> {
    const state = await knownAccount(this.loader, accountId);
    const made = this.changes.of(accountId, change);
    const { id } = made;
    const { key, ...kept } = drawn ?? newApiKey(state.testClock !== null);
    const profile = await made.keep({ label }, state);
    const done = await made.submit({
      command: 'issue-api-key',
      keyId: id,
      ...kept,
      scopes,
      expiresAt,
      profile,
      ...(issuer !== undefined && { issuer }),
    });
    if (done.event?.type !== 'ApiKeyIssued') throw new Error(`Command ${id} issued no API key.`);
    // Only the key whose hash stands in the log opens anything: another request may have won.
    const ours = done.event.data.hash === kept.hash;
    return { view: issuedApiKey(done.event, label, ours ? key : undefined), replayed: !ours };
  }

  /** Doing it again changes nothing. */
  async revoke(accountId: string, keyId: string, change: Change): Promise<Outcome<null>> {
    const { replayed } = await this.changes.of(accountId, change).submit({
      command: 'revoke-api-key',
      keyId,
      wasIssued: (await findIssuedKey(this.pool, accountId, keyId)) !== undefined,
    });
    return { view: null, replayed };
  }

  /**
   * A new key in the place of another: first the new one is there, then the old one ends. A retry
   * completes what broke off. An API key may ask for it that has the scopes of the old one and ends
   * no earlier. Throws a ProblemException for a key that is over.
   */
  async rotate(
    accountId: string,
    keyId: string,
    change: Change,
    overlapHours: number,
  ): Promise<Outcome<IssuedApiKey>> {
    const state = await knownAccount(this.loader, accountId);
    const at = momentOf(state, this.clock.now());
    const { idempotencyKey: name } = change;
    // Both changes stand under names of their own, so that a retry finds what is done of them.
    const newId = name === null ? null : commandIdOf(accountId, name);
    const isDone = newId !== null && (await findIssuedKey(this.pool, accountId, newId));
    const old = await findIssuedKey(this.pool, accountId, keyId);
    if (old === undefined) throw refused('not-found', 'The account has no such API key.');
    const active = state.apiKeys.find((key) => key.id === keyId && !isOver(key, at));
    if (active === undefined && !isDone)
      throw refused('conflict', 'The API key is revoked or has expired: issue a new one.');
    const { id: profile } = old.profile;
    const label = (await findProfiles(this.pool, [profile])).get(profile)?.label ?? 'Key';
    const isByKey = (await findIssuedKey(this.pool, accountId, change.by)) !== undefined;
    // A manager may issue any key; a key gets one that ends when the old one does.
    const end = isByKey ? (active?.expiresAt ?? null) : null;
    const asked = { label, scopes: [...old.scopes], expires_at: end };
    const issuer = isByKey ? { issuer: change.by } : {};
    const made = await this.issue(accountId, change, asked, issuer);
    await this.end(accountId, keyId, change, at + overlapHours * HOUR_MS, at);
    return made;
  }

  private async end(
    accountId: string,
    keyId: string,
    change: Change,
    expiresAt: number,
    at: number,
  ): Promise<void> {
    const { idempotencyKey: name } = change;
    // The first change has made another version of the account than the one it was meant for.
    const second: Change = {
      ...change,
      ifMatch: undefined,
      idempotencyKey: name === null ? null : `${name} end`,
      reason: 'Rotated.',
    };
    const isNow = expiresAt <= at;
    await this.changes
      .of(accountId, second)
      .submit(
        isNow
          ? { command: 'revoke-api-key', keyId, wasIssued: true }
          : { command: 'end-api-key', keyId, expiresAt, wasIssued: true },
      );
  }
}

function refused(type: 'not-found' | 'conflict', detail: string): ProblemException {
  return new ProblemException(problem(type, detail));
}
