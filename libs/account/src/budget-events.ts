import type { Origin, ProfileReference } from './events.js';

// As in events.ts: these names are the stored format, for ever.

export type BudgetPeriod = 'month' | 'window';
export type BudgetAction = 'alert' | 'block';

/** A budget was made or changed: all of it as it is from now on. */
export interface BudgetSet extends Origin {
  readonly budget_id: string;
  /** Ordinal of the API key whose calls count; null: those of the whole account. */
  readonly api_key: number | null;
  readonly period: BudgetPeriod;
  /** In credits. */
  readonly limit: number;
  /** Percentages of the limit, ascending. */
  readonly thresholds: readonly number[];
  readonly action: BudgetAction;
  /** The row that holds whom to write to. */
  readonly notify: ProfileReference | null;
}

export interface BudgetRemoved extends Origin {
  readonly budget_id: string;
}

/** Members of every alert of a budget. `period` is the label of a month or a window. */
export interface BudgetAlert {
  readonly budget_id: string;
  readonly period: string;
  readonly limit: number;
  /** Credits spent in the period. */
  readonly spent: number;
}

/** Once for each budget, period and threshold. */
export interface BudgetThresholdCrossed extends BudgetAlert {
  readonly threshold: number;
  /** The call that crossed it; null where the budget was set after the credits were spent. */
  readonly call_id: string | null;
}

/** The first call of a period that a budget refused. */
export interface BudgetBlocked extends BudgetAlert {
  /** The price of that call. */
  readonly required_credits: number;
}

/** At the pace of the period so far the limit is reached before the period ends. */
export interface BudgetForecastExceeded extends BudgetAlert {
  /** When it will be. */
  readonly exhausted_at: string;
  readonly call_id: string | null;
}

/** The balance has fallen below what the account calls low. */
export interface BalanceLow {
  readonly low_balance: number;
  readonly balance: number;
  /** The call that took it there; null where none did. */
  readonly call_id: string | null;
}
