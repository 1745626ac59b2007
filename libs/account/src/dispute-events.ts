import type { Origin } from './events.js';

// These names are the stored format: types and members may be added, never renamed or removed.

/** The customer asks for the charge of calls to be looked at; the origin's reason says why. */
export interface DisputeOpened extends Origin {
  readonly dispute_id: string;
  /** Calls of the account, each in at most one open dispute. */
  readonly call_ids: readonly string[];
  /** Charges of these calls together. */
  readonly credits: number;
}

export type DisputeOutcome = 'accepted' | 'rejected';

/** An operator has answered a dispute; the origin's reason is the answer. */
export interface DisputeResolved extends Origin {
  readonly dispute_id: string;
  readonly call_ids: readonly string[];
  readonly outcome: DisputeOutcome;
  /** Credits that were given back in the same append, in whichever way; 0: none. */
  readonly credits: number;
}
