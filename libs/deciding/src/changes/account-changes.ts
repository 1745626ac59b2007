import { AccountChange, type AccountChangeParts } from './account-change.js';
import type { Change } from './change.js';
import { CommandIds } from './command-ids.js';

/** Hands operators' commands to the accounting and turns what it refuses into problems. */
export class AccountChanges {
  private readonly ids: CommandIds;

  constructor(private readonly parts: AccountChangeParts) {
    this.ids = new CommandIds(parts.clock);
  }

  /** A change that opens an account, whose id is its command's. */
  opening(change: Change): AccountChange {
    const id = this.ids.next('accounts', change);
    return this.under(id, id, change, change.idempotencyKey !== null);
  }

  /** `id`: the one of all such changes, which happen once however often they are asked for. */
  of(accountId: string, change: Change, id?: string): AccountChange {
    const named = id ?? this.ids.next(accountId, change);
    const isRetry = id !== undefined || change.idempotencyKey !== null;
    return this.under(accountId, named, change, isRetry);
  }

  private under(accountId: string, id: string, change: Change, isRetry: boolean): AccountChange {
    return new AccountChange(this.parts, accountId, id, change, isRetry);
  }
}
