import type { CreditNoteRecord } from './billing-events.js';
import type { DisputeOutcome } from './dispute-events.js';
import type { Origin } from './events.js';

/** Disputes calls; the caller knows that they are the account's. */
export interface OpenDispute {
  readonly command: 'open-dispute';
  readonly origin: Origin;
  readonly disputeId: string;
  readonly callIds: readonly string[];
  /** Their charges together. */
  readonly credits: number;
}

/** Answers a dispute, and gives back what it accepts: all happens, or nothing. */
export interface ResolveDispute {
  readonly command: 'resolve-dispute';
  readonly origin: Origin & { readonly reason: string };
  readonly disputeId: string;
  readonly outcome: DisputeOutcome;
  /** Given back in all. */
  readonly credits: number;
  /** Null: nothing is given back. */
  readonly giveBack: {
    /** The account's `billing.version` that it was decided at. */
    readonly after: number;
    /** Take back the parts of the charges that were billed. */
    readonly notes: readonly CreditNoteRecord[];
    readonly adjustments: readonly {
      readonly call: { readonly callId: string; readonly charged: number };
      readonly credits: number;
      readonly grantId: string;
    }[];
    /** Calls that are given back, in whichever way. */
    readonly callIds: readonly string[];
  } | null;
}
