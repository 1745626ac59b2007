import type { DisputeOutcome } from '#account/disputes.js';

/** A dispute with what both sides said; texts are null once the account is erased. */
export interface DisputeView {
  readonly id: string;
  readonly account_id: string;
  /** In lists over all accounts; null: erased. */
  readonly account_name?: string | null;
  readonly call_ids: readonly string[];
  /** Charges of the calls together. */
  readonly disputed_credits: number;
  readonly reason: string | null;
  readonly status: 'open' | DisputeOutcome;
  readonly opened_at: string;
  readonly answer: string | null;
  readonly given_back_credits: number;
  readonly resolved_at: string | null;
}
