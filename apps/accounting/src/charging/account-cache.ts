import type { LoadedAccount } from '#ledger/account-row.js';

/**
 * Committed accounts in memory, the least recently used given up first. Giving one up is always
 * safe: loading reads the rows and all events after them in one snapshot.
 */
export class AccountCache {
  private readonly accounts = new Map<string, LoadedAccount>();
  private keys = 0;

  /** `keysMax`: opened keys of all accounts together, which is where the memory goes. */
  constructor(
    private readonly accountsMax: number,
    private readonly keysMax: number,
  ) {}

  get(accountId: string): LoadedAccount | undefined {
    const account = this.accounts.get(accountId);
    if (account === undefined) return undefined;
    this.accounts.delete(accountId);
    this.accounts.set(accountId, account);
    return account;
  }

  has(accountId: string): boolean {
    return this.accounts.has(accountId);
  }

  set(accountId: string, account: LoadedAccount): void {
    this.drop(accountId);
    this.accounts.set(accountId, account);
    this.keys += account.state.opened.size;
  }

  drop(accountId: string): void {
    const account = this.accounts.get(accountId);
    if (account === undefined) return;
    this.accounts.delete(accountId);
    this.keys -= account.state.opened.size;
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
