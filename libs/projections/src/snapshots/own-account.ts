import {
  applyCall,
  type BeforeCall,
  changesSumsAlone,
  ownState,
  undoCall,
} from '#account/call-in-place.js';
import type { CallEvent } from '#account/calls.js';
import type { AccountEvent } from '#account/events.js';
import { evolve } from '#account/evolve.js';
import type { AccountState } from '#account/state.js';
import type { LoadedAccount } from './account-row.js';

/** A call that an account holds and the log may not. */
export interface AppliedCall {
  readonly account: OwnAccount;
  readonly event: CallEvent;
  readonly head: string;
  readonly before: BeforeCall;
}

/** An account whose sums nobody else holds: calls change them where they stand. */
export class OwnAccount implements LoadedAccount {
  private constructor(
    readonly state: AccountState,
    public head: string,
  ) {}

  /** The account itself, or a copy of it. */
  static of(account: LoadedAccount): OwnAccount {
    if (account instanceof OwnAccount) return account;
    return new OwnAccount(ownState(account.state), account.head);
  }

  /** Applies a call that changes sums alone; `head` is the chain's after it. */
  apply(event: CallEvent, head: string): AppliedCall {
    const applied = { account: this, event, head: this.head, before: applyCall(this.state, event) };
    this.head = head;
    return applied;
  }
}

/** Takes calls back that were not written, each the last one of its account. */
export function undo(applied: AppliedCall[]): void {
  for (let call = applied.pop(); call !== undefined; call = applied.pop()) {
    undoCall(call.account.state, call.event, call.before);
    call.account.head = call.head;
  }
}

/**
 * An account after an event, the account itself where it is an own one that a call changes. `head`:
 * of the chain after the event. What was changed in place is added to `applied`.
 */
export function accountAfter(
  account: LoadedAccount,
  event: AccountEvent,
  head: string,
  applied?: AppliedCall[],
): LoadedAccount {
  if (event.type !== 'CallMade' || !changesSumsAlone(account.state, event.data)) {
    return { state: evolve(account.state, event), head };
  }
  const own = OwnAccount.of(account);
  const call = own.apply(event, head);
  applied?.push(call);
  return own;
}
