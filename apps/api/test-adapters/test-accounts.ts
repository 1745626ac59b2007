import { createHash } from 'node:crypto';
import { formatApiKey } from '#account/api-key.js';
import type { CallMade } from '#account/calls.js';
import type { Command } from '#account/commands.js';
import { keyAccount, type KeyAccount, type KeyDirectory } from '#account/key-directory.js';
import type { AccountState } from '#account/state.js';
import type { RateLimit, Scope } from '#account/terms.js';
import { changeAccount, grantCredits, issueApiKey } from '#account/scenario.suite.js';
import { openAccount, origin, revokeApiKey } from '#account/scenario.suite.js';
import type { Accounting } from '#deciding/accounting.js';
import type { EventLog, StoredEvent } from '#event-log/event-log.js';
import type { AccountSource } from '#projections/loading/account-source.js';
import { issuedKeys } from '#projections/usage/api-keys.js';
import { readEvent } from '#projections/snapshots/account-tail.js';
import { profileReference, type Profile } from '#projections/texts/profiles.js';

const RATE_LIMIT = { perSecond: 100_000, burst: 100_000 };
const EVENTS_MAX = 10_000;

export interface NewAccount {
  readonly overdraft?: number | null;
  /** The moment of a test account; null: it lives in real time. */
  readonly testClock?: number | null;
  readonly rateLimit?: RateLimit | null;
}

export interface NewKey {
  readonly scopes?: readonly Scope[];
  readonly expiresAt?: number | null;
  readonly revoked?: boolean;
  /** Of the account, from now on. */
  readonly rateLimit?: RateLimit | null;
}

export interface TestKey {
  readonly text: string;
  readonly keyId: string;
}

export interface MadeCall {
  readonly callId: string;
  readonly call: CallMade;
}

interface AccountsParts {
  readonly accounting: Accounting;
  readonly loader: Pick<AccountSource, 'load'>;
  readonly log: Pick<EventLog, 'readAccount'>;
  readonly saveProfile?: (id: string, accountId: string, profile: Profile) => Promise<unknown>;
}

/** Accounts in a log, opened and changed by real commands, and found by their issued keys. */
export class TestAccounts implements KeyDirectory {
  lookUps = 0;
  /** By hash of the key. */
  private readonly owners = new Map<string, string>();
  private readonly numbers = { account: 0, key: 0, command: 0 };
  /** Changes that have not happened yet: every request waits for them. */
  private pending: Promise<unknown> = Promise.resolve();

  constructor(private readonly parts: AccountsParts) {}

  open(credits: number, given: NewAccount): TestAccount {
    const { overdraft = 0, testClock = null, rateLimit = RATE_LIMIT } = given;
    const number = ++this.numbers.account;
    const id = uuid('8000', number);
    const account = new TestAccount(id, testClock !== null, this);
    const named = { name: `Account ${number}` };
    const profile = profileReference(uuid('c000', number), named);
    const { saveProfile } = this.parts;
    if (saveProfile) void this.afterwards(() => saveProfile(profile.id, id, named));
    const test = testClock !== null;
    const terms = { overdraft, test, testClock, rateLimit };
    void account.change(openAccount({ ...terms, profile }));
    if (credits > 0) void account.grant(credits);
    return account;
  }

  issueKey(account: TestAccount, { scopes, expiresAt, revoked, rateLimit }: NewKey): TestKey {
    const number = ++this.numbers.key;
    const random = createHash('sha256').update(`key ${number}`).digest('hex').slice(0, 30);
    const prefix = account.test ? 'pix_test_' : 'pix_live_';
    const text = formatApiKey(prefix, random);
    const hash = createHash('sha256').update(text).digest('hex');
    const keyId = uuid('9000', number);
    this.owners.set(hash, account.id);
    if (rateLimit !== undefined) void account.change(changeAccount({ rateLimit }));
    const given = { ...(scopes && { scopes: [...scopes] }), expiresAt: expiresAt ?? null };
    void account.change(issueApiKey({ keyId, hash, prefix, ...given }));
    if (revoked) void account.change(revokeApiKey(keyId));
    return { text, keyId };
  }

  async find(hash: string): Promise<KeyAccount | undefined> {
    this.lookUps += 1;
    const owner = this.owners.get(hash);
    if (owner === undefined) return undefined;
    const account = keyAccount(owner, await this.state(owner));
    if (account.keys.has(hash)) return account;
    const keys = issuedKeys((await this.events(owner)).map(readEvent));
    return { ...account, end: keys.find((key) => key.hash === hash) };
  }

  async follow(accounts: readonly KeyAccount[]): Promise<readonly KeyAccount[]> {
    this.lookUps += 1;
    const now = accounts.map(async ({ accountId }) =>
      keyAccount(accountId, await this.state(accountId)),
    );
    return Promise.all(now);
  }

  /** Decides a command after all that were given before. */
  submit(accountId: string, command: Command): Promise<void> {
    const callId = uuid('b000', ++this.numbers.command);
    const submission = { accountId, callId, isRetry: false, notAfter: Infinity, command };
    return this.afterwards(async () => {
      const { refusal } = await this.parts.accounting.submit(submission);
      if (refusal !== null) throw new Error(`${command.command} was refused: ${refusal.reason}.`);
    });
  }

  async state(accountId: string): Promise<AccountState> {
    await this.pending;
    const { accounts } = await this.parts.loader.load([accountId]);
    const account = accounts.get(accountId);
    if (account === undefined) throw new Error(`There is no account ${accountId}.`);
    return account.state;
  }

  events(accountId: string): Promise<StoredEvent[]> {
    return this.parts.log.readAccount(accountId, 0, EVENTS_MAX);
  }

  async calls(accountId: string): Promise<MadeCall[]> {
    const events = await this.events(accountId);
    return events.flatMap((stored) => {
      const event = readEvent(stored);
      return event.type === 'CallMade' ? [{ callId: stored.callId ?? '', call: event.data }] : [];
    });
  }

  private afterwards<Done>(work: () => Promise<Done>): Promise<Done> {
    const done = this.pending.then(work);
    this.pending = done;
    // The next request gets the error; the process must not end before.
    done.catch(() => undefined);
    return done;
  }
}

/** One of them, by itself. */
export class TestAccount {
  readonly grantId: string;

  constructor(
    readonly id: string,
    readonly test: boolean,
    private readonly accounts: TestAccounts,
  ) {
    this.grantId = id.replace('-8000-', '-a000-');
  }

  change(command: Command): Promise<void> {
    return this.accounts.submit(this.id, command);
  }

  grant(credits: number): Promise<void> {
    return this.change(grantCredits(credits, { grantId: this.grantId }));
  }

  suspend(): Promise<void> {
    return this.change({ command: 'suspend-account', origin });
  }

  resume(): Promise<void> {
    return this.change({ command: 'resume-account', origin });
  }

  moveClock(now: number): Promise<void> {
    return this.change({ command: 'move-test-clock', origin, now });
  }

  async balance(): Promise<number> {
    return (await this.accounts.state(this.id)).balance;
  }

  calls(): Promise<MadeCall[]> {
    return this.accounts.calls(this.id);
  }

  events(): Promise<StoredEvent[]> {
    return this.accounts.events(this.id);
  }
}

function uuid(kind: string, number: number): string {
  return `00000000-0000-4000-${kind}-${String(number).padStart(12, '0')}`;
}
