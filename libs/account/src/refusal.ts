import { formatInstant } from '#calendar/instant.js';
import type { CallKind } from './terms.js';

/** The request that an idempotency key named first, as far as the log holds it. */
export interface FirstRequest {
  /** Ms since 1970. */
  readonly at: number;
  /** `GET` and the path of a call as it was sent; of a change the type of its event. */
  readonly request: string;
}

/** Everything an account says no with. One table in the HTTP layer maps each to a problem. */
export type Refusal =
  | { readonly reason: 'account-unknown' }
  | { readonly reason: 'account-exists' }
  | { readonly reason: 'account-suspended' }
  /** Changes of a closed account; its callers get `key-invalid`, as its keys are revoked. */
  | { readonly reason: 'account-closed' }
  | { readonly reason: 'key-invalid' }
  | { readonly reason: 'scope-missing'; readonly scope: string }
  | { readonly reason: 'too-late' }
  /** The running window is another one: resolve `latest` again and retry. */
  | { readonly reason: 'window-moved'; readonly window: string }
  /** A test account has this release pinned for the key's window. */
  | { readonly reason: 'release-moved'; readonly release: string }
  /** No rate card of the product is in force, as far as this process knows: it is not sold yet. */
  | { readonly reason: 'no-rate-card'; readonly product: string }
  /** Units have a name that no rule prices, or cost more than any account can hold. */
  | { readonly reason: 'units-unpriced'; readonly detail: string }
  | {
      readonly reason: 'price-above-maximum';
      readonly requiredCredits: number;
      readonly maxCredits: number;
      readonly kind: CallKind;
    }
  | {
      readonly reason: 'out-of-credits';
      readonly requiredCredits: number;
      readonly balance: number;
      /** Balance and overdraft together. */
      readonly availableCredits: number;
      readonly kind: CallKind;
    }
  /** The balance would do, if nothing of it were held. */
  | {
      readonly reason: 'credits-held';
      readonly requiredCredits: number;
      readonly balance: number;
      readonly heldCredits: number;
      readonly availableCredits: number;
      readonly kind: CallKind;
      /** Milliseconds until the next hold expires. */
      readonly freeIn: number;
    }
  /** Of all budgets that the call would exceed, the one with the least left. */
  | {
      readonly reason: 'budget-exhausted';
      readonly budgetId: string;
      readonly requiredCredits: number;
      readonly leftCredits: number;
      /** End of the budget's period, ms since 1970. */
      readonly resetsAt: number;
    }
  /** The idempotency key named a call whose answer is no longer replayed. */
  | { readonly reason: 'idempotency-key-used'; readonly callId: string }
  /**
   * The idempotency key named another request; `callId`: the call, where that was one. `first` is
   * absent where an older process decided.
   */
  | {
      readonly reason: 'idempotency-conflict';
      readonly callId?: string;
      readonly first?: FirstRequest;
    }
  /** The hold was settled, released or has expired: it has one end. */
  | { readonly reason: 'hold-closed' }
  /** Another attempt holds credits for the same call. */
  | { readonly reason: 'hold-in-progress'; readonly callId: string }
  /** An account has no room for one more open hold. */
  | { readonly reason: 'hold-limit'; readonly limit: number }
  /** The command was for another version of what it changes; `tag` is the validator of this one. */
  | { readonly reason: 'version-moved'; readonly tag: string }
  /** Something happened to an invoice since this was decided: decide again. */
  | { readonly reason: 'billing-moved'; readonly version: number }
  /** A purchase is to be credited by more than its unused credits are worth, in minor units. */
  | {
      readonly reason: 'purchase-used';
      readonly grantId: string;
      readonly unusedCredits: number;
      readonly worth: number;
      readonly currency: string;
    }
  /** More than the credit balance is to be used, in minor units. */
  | {
      readonly reason: 'credit-balance-too-low';
      readonly balance: number;
      readonly currency: string;
    }
  /** The command does not fit the account's state; `detail` says what would. */
  | { readonly reason: 'conflict'; readonly detail: string }
  | { readonly reason: 'not-found'; readonly detail: string };

/** The refusal of a request whose idempotency key named a change, which made this event. */
export function namesChange({ type, at }: { readonly type: string; readonly at: number }): Refusal {
  return { reason: 'idempotency-conflict', first: { at, request: type } };
}

/** The refusal of an end that has passed in the time of the account, ms since 1970. */
export function endsBefore(now: number): Refusal {
  return conflict(`expires_at must lie in the future of the account: after ${formatInstant(now)}.`);
}

/** A command that does not fit the account's state. */
export function conflict(detail: string): Refusal {
  return { reason: 'conflict', detail };
}
