import type { Origin } from '#account/terms.js';

/** A month that is not invoiced until somebody has looked. */
export interface RunFailure {
  readonly account_id: string;
  readonly month: string;
  readonly detail: string;
}

export interface RunResult {
  readonly issued: number;
  /** Of the month that was asked for: had an invoice before, or nothing to bill. */
  readonly skipped: number;
  readonly failed: number;
  readonly failures: readonly RunFailure[];
}

/** Who watches a pass: hears of each failure as it is found, and may end it after a page. */
export interface PassWatch {
  readonly isOver?: () => boolean;
  readonly onFailure?: (failure: RunFailure) => void;
}

// These names are the stored format of lane 0: types and members may be added, never renamed.

export const INVOICE_RUN_STARTED = 'InvoiceRunStarted';
export const INVOICE_RUN_ENDED = 'InvoiceRunEnded';

/** An operator asked for what is due. The command's id is the run's. */
export interface InvoiceRunStarted extends Origin {
  readonly month: string;
  /** Null: of all accounts. */
  readonly account_id: string | null;
}

/** Progress of a run: accounts with something to bill in its month, and those with an invoice. */
export interface RunReach {
  readonly accounts: number;
  readonly done: number;
}

/** Nothing was left that could be issued. Of `failures` it holds the first ones only. */
export interface InvoiceRunEnded extends Origin, RunReach, RunResult {
  readonly run_id: string;
}
