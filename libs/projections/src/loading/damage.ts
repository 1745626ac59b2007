import { AccountDamagedError } from '#account/charging.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { LoadedAccount } from '../snapshots/account-row.js';
import { follow, unopened } from '../snapshots/account-tail.js';

/**
 * Accounts by id, without those whose events cannot be applied, or were not read: for one of them
 * it throws.
 */
export class SoundAccounts extends Map<string, LoadedAccount> {
  readonly damaged = new Map<string, AccountDamagedError>();
  private readonly missed = new Map<string, Error>();

  override get(accountId: string): LoadedAccount | undefined {
    const fault = this.damaged.get(accountId) ?? this.missed.get(accountId);
    if (fault !== undefined) throw fault;
    return super.get(accountId);
  }

  /** Notes that an account could not be read. */
  miss(accountId: string, error: Error): void {
    this.missed.set(accountId, error);
    this.delete(accountId);
  }

  /** Leaves an account out, for this reason. */
  leave(accountId: string, reason: string): void {
    this.damaged.set(accountId, new AccountDamagedError(accountId, reason));
    this.delete(accountId);
  }

  /** Takes the next event of an account. */
  follow(event: StoredEvent): void {
    const { accountId } = event;
    if (this.damaged.has(accountId)) return;
    try {
      this.set(accountId, follow(this.get(accountId) ?? unopened, event));
    } catch (error) {
      this.leave(accountId, String(error));
    }
  }
}
