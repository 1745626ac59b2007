import { laneOf } from '#event-log/event-log.js';
import type { LoadedAccount } from '#projections/snapshots/account-row.js';

interface Entry {
  account: LoadedAccount;
  /** As counted when it was settled: sets of keys are shared, so one may have grown since. */
  keys: number;
  /** Whether it was asked for since the cache last looked for one to give up. */
  isRecent: boolean;
}

/**
 * Committed accounts in memory; those that nobody has asked for are given up first. Giving one up
 * is always safe: loading reads the rows and all events after them in one snapshot.
 */
export class AccountCache {
  private readonly accounts = new Map<string, Entry>();
  private keys = 0;

  /** `keysMax`: opened keys of all accounts together, which is where the memory goes. */
  constructor(
    private readonly accountsMax: number,
    private readonly keysMax: number,
  ) {}

  get(accountId: string): LoadedAccount | undefined {
    const entry = this.accounts.get(accountId);
    if (entry === undefined) return undefined;
    entry.isRecent = true;
    return entry.account;
  }

  has(accountId: string): boolean {
    return this.accounts.has(accountId);
  }

  set(accountId: string, account: LoadedAccount): void {
    const known = this.accounts.get(accountId);
    const entry = known ?? { account, keys: 0, isRecent: false };
    if (known === undefined) this.accounts.set(accountId, entry);
    entry.account = account;
    entry.isRecent = known !== undefined;
    this.count(entry);
  }

  /** An account has opened keys where it stands. */
  grow(accountId: string): void {
    const entry = this.accounts.get(accountId);
    if (entry !== undefined) this.count(entry);
  }

  /** Counts its keys. Nobody needs sets of before it any more: what is committed stands alone. */
  private count(entry: Entry): void {
    const { opened } = entry.account.state;
    opened.compact();
    this.keys += opened.size - entry.keys;
    entry.keys = opened.size;
  }

  drop(accountId: string): void {
    const entry = this.accounts.get(accountId);
    if (entry === undefined) return;
    this.accounts.delete(accountId);
    this.keys -= entry.keys;
  }

  dropLane(lane: number): void {
    for (const id of this.accounts.keys()) if (laneOf(id) === lane) this.drop(id);
  }

  clear(): void {
    this.accounts.clear();
    this.keys = 0;
  }

  /** Called between batches only: a batch needs all of its accounts at once. */
  shrink(): void {
    for (const [accountId, entry] of this.accounts) {
      if (this.accounts.size <= this.accountsMax && this.keys <= this.keysMax) return;
      if (this.accounts.size <= 1) return;
      if (entry.isRecent) this.keep(accountId, entry);
      else this.drop(accountId);
    }
  }

  /** It is looked at again after all others. */
  private keep(accountId: string, entry: Entry): void {
    entry.isRecent = false;
    this.accounts.delete(accountId);
    this.accounts.set(accountId, entry);
  }
}
