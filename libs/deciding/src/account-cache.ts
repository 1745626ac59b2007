import { laneOf } from '#event-log/event-log.js';
import type { LoadedAccount } from '#ledger/snapshots/account-row.js';

interface Entry {
  readonly account: LoadedAccount;
  /** As counted when it was set: sets of keys are shared, so an older one may have grown since. */
  readonly keys: number;
}

/**
 * Committed accounts in memory; those that changed longest ago are given up first. Giving one up is
 * always safe: loading reads the rows and all events after them in one snapshot.
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
    return this.accounts.get(accountId)?.account;
  }

  has(accountId: string): boolean {
    return this.accounts.has(accountId);
  }

  set(accountId: string, account: LoadedAccount): void {
    this.drop(accountId);
    const keys = account.state.opened.size;
    this.accounts.set(accountId, { account, keys });
    this.keys += keys;
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
    for (const accountId of this.accounts.keys()) {
      if (this.accounts.size <= this.accountsMax && this.keys <= this.keysMax) return;
      if (this.accounts.size <= 1) return;
      this.drop(accountId);
    }
  }
}
