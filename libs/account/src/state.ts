import type { Holds } from './open-holds.js';
import { OpenedKeys } from './opened-keys.js';
import type { Worth } from './rounding.js';
import type {
  BudgetAction,
  BudgetPeriod,
  CreditedPurchase,
  GrantKind,
  Plan,
  ProfileReference,
  RateLimit,
  Scope,
  Tax,
  Totals,
} from './terms.js';

/** First calls that fall under the same rule of any card, summed so that each can price them. */
export interface FirstCalls {
  /** The path that their keys share, as `pricedPath` gives it. */
  readonly path: string;
  readonly calls: number;
  readonly rows: number;
}

/** Spending of an account in one window, in credits by day. Its Tuesday is the first. */
export interface WindowRhythm {
  /** Its label, and midnight of its Tuesday in UTC, ms since 1970. */
  readonly window: string;
  readonly tuesday: number;
  readonly base: readonly number[];
  readonly repeats: readonly number[];
  readonly repeatCalls: readonly number[];
  readonly first: readonly FirstCalls[];
  /** Version of the card that has priced all its calls; null if several have. */
  readonly card: number | null;
}

/** A grant with something left of it. `expiresAt` in ms since 1970, null: never. */
export interface Grant {
  readonly ordinal: number;
  readonly id: string;
  readonly kind: GrantKind | 'adjustment';
  readonly credits: number;
  readonly left: number;
  readonly priority: number;
  readonly expiresAt: number | null;
  readonly grantedAt: number;
  /** Of a purchase with a price. */
  readonly worth?: Worth;
}

/** A key that is not revoked. */
export interface ApiKey {
  /** Number in the account: 1, 2, 3, … */
  readonly ordinal: number;
  readonly id: string;
  readonly hash: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly issuedAt: number;
  /** Id of the row of personal texts that holds its label. */
  readonly profile: string;
}

/** Calls since the start of the running month or window, and what they were charged. */
export interface Use {
  readonly calls: number;
  readonly baseCalls: number;
  readonly credits: number;
  /** Credits by ordinal of the API key; keys that did not call are left out. */
  readonly creditsByKey: readonly (readonly [apiKey: number, credits: number])[];
}

/** Alerts that a budget has emitted in a period, so that each is emitted once. */
export interface ReportedAlerts {
  /** Label of a month or a window. */
  readonly period: string;
  readonly thresholds: readonly number[];
  readonly blocked: boolean;
  readonly forecast: boolean;
}

export interface Budget {
  readonly id: string;
  /** Ordinal of the API key whose calls count; null: those of the whole account. */
  readonly apiKey: number | null;
  /** Id of that key. */
  readonly apiKeyId: string | null;
  readonly period: BudgetPeriod;
  readonly limit: number;
  /** Percentages of the limit, ascending. */
  readonly thresholds: readonly number[];
  readonly action: BudgetAction;
  /** Id of the row of personal texts that holds whom to write to. */
  readonly notify: string | null;
  /** For each kind of period the newest one with an alert. */
  readonly told: Readonly<Record<BudgetPeriod, ReportedAlerts | null>>;
}

/** A purchase that no invoice bills yet. Amount net, in minor units. */
export interface UnbilledPurchase {
  readonly grant: number;
  readonly grantId: string;
  readonly credits: number;
  readonly amount: number;
  /** Version and moment of its event. */
  readonly version: number;
  readonly at: number;
  /** Whether it waits for its month's invoice. */
  readonly isMonthly: boolean;
  /** The month whose invoice bills it; absent until that month is closed. */
  readonly month?: string;
}

/** A voided purchase whose credit note is still to be drawn up. Amount net, in minor units. */
export interface DueRefund {
  readonly grantId: string;
  readonly amount: number;
}

/** An invoice that takes the place of a voided one, and is still to be drawn up. */
export interface DueReissue {
  readonly invoiceId: string;
  /** Id of the voided invoice. */
  readonly of: string;
}

/** A new invoice that the credit balance pays, as far as it goes. */
export interface DueApplication {
  readonly invoiceId: string;
  readonly amount: number;
  readonly date: string;
}

/** Credits that a credit note takes with it. */
export interface DueVoid {
  readonly purchase: CreditedPurchase;
  readonly creditNoteId: string;
  /** The promotional grant that they are kept as; absent: none. */
  readonly keptAs?: string;
  /** Once they are taken back, the terms of that grant. */
  readonly kept?: Pick<Grant, 'credits' | 'priority' | 'expiresAt'>;
}

/** As much of an account's invoices as decisions about its credits and months need. */
export interface Billing {
  /** Version of the newest event about an invoice; 0: there is none. */
  readonly version: number;
  /** Newest month that was invoiced. */
  readonly invoicedMonth: string | null;
  /** The row of the billing details; null: not filled in. */
  readonly profile: ProfileReference | null;
  /** Of what no plan taxes; absent: nothing was said. */
  readonly tax?: Tax;
  /** Purchases stay on their month's invoice; absent: they do not. */
  readonly purchases?: 'monthly';
  /** In the order in which they were made. */
  readonly unbilled: readonly UnbilledPurchase[];
  /** In the order in which the grants were voided. */
  readonly refunds: readonly DueRefund[];
  /** In the order in which the invoices were voided. */
  readonly reissues: readonly DueReissue[];
  /** Recorded right after the credit note. */
  readonly voids: readonly DueVoid[];
  /** Money of the customer that no invoice has got yet, in minor units; never below 0. */
  readonly balance: number;
  /** Recorded right after the invoice. */
  readonly applying: DueApplication | null;
}

/** An open dispute, with the calls that it is about. */
export interface Dispute {
  readonly id: string;
  readonly callIds: readonly string[];
}

/** The open order of credits. Price net, in minor units. */
export interface Order {
  readonly id: string;
  /** Of the package. */
  readonly name: string;
  readonly credits: number;
  readonly price: number;
  /** Whether its grant follows by itself. */
  readonly isAtOnce: boolean;
}

/** State of an account after its events. Built by `evolve` alone. */
export interface AccountState {
  /** Number of events; 0 is an account that was never opened. */
  readonly version: number;
  /** Moment of the last event, ms since 1970. */
  readonly lastAt: number;
  readonly openedAt: number;
  readonly suspended: boolean;
  /** Ms since 1970; null: it is open. */
  readonly closedAt: number | null;
  readonly erasedAt: number | null;
  readonly currency: string;
  /** How far the balance may go below zero; null: without limit. */
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly testClock: number | null;
  readonly rateLimit: RateLimit | null;
  /** Every metered answer carries a receipt; undefined: where preferred, as in older rows. */
  readonly receipts: true | undefined;
  readonly lowBalance: number | null;
  /** True if the low balance was reported and has not been higher since. */
  readonly toldLow: boolean;
  /** Version of a card of its own for the popularity index; null: the one in force. */
  readonly rateCard: number | null;
  /** The same by other products; undefined: none, as in older rows. */
  readonly rateCards: Readonly<Record<string, number>> | undefined;
  /** In force in the running month. */
  readonly plan: Plan | null;
  /** The plan that begins when the month ends; null: no change. */
  readonly nextPlan: { readonly plan: Plan | null } | null;
  /** The terms that return when no plan follows; null: no plan is in force or to begin. */
  readonly beforePlan: { readonly overdraft: number | null } | null;
  /** Whether the plan's credits for the running month are still to be given. */
  readonly includedDue: boolean;
  readonly profile: string;
  readonly balance: number;
  readonly totals: Totals;
  /** In the order in which they are drawn. */
  readonly grants: readonly Grant[];
  /** Ordinal of the newest grant or positive adjustment. */
  readonly lastGrant: number;
  /** In the order in which they were issued. Keys that are over are in the log alone. */
  readonly apiKeys: readonly ApiKey[];
  /** Ordinal of the newest API key: no number is given twice. */
  readonly lastApiKey: number;
  /** Moment of the first event of the month that is to be closed, ms; null: nothing happened. */
  readonly monthSince: number | null;
  /** The newest month that was closed: its label, its event's version, the balance after it. */
  readonly lastClose: {
    readonly month: string;
    readonly version: number;
    readonly balance: number;
  } | null;
  /** Of the month that is to be closed. */
  readonly monthUse: Use;
  /** Label of the running window at the last call. */
  readonly window: string | null;
  /** Of that window; nothing once it was closed. */
  readonly windowUse: Use;
  /** Of the window that was called in last and some before it, newest first. */
  readonly rhythm: readonly WindowRhythm[];
  /** The same of all products but the index together; undefined: none was called. */
  readonly otherRhythm: readonly WindowRhythm[] | undefined;
  /** Those of which keys were opened, but for the index; undefined: none. */
  readonly products: readonly string[] | undefined;
  /** In the order in which they were made. */
  readonly budgets: readonly Budget[];
  readonly billing: Billing;
  /** Disputes that nobody has answered yet, oldest first; undefined: none, as in older rows. */
  readonly disputes: readonly Dispute[] | undefined;
  /** Undefined: no order is open, as in older rows. */
  readonly order: Order | undefined;
  /** Undefined: nothing is held, as in older rows. */
  readonly holds: Holds | undefined;
  /**
   * Of test accounts: release by window label, fixed by the first call for that window. Before the
   * label stands the product, unless it is the index (`pinName`).
   */
  readonly pins: Readonly<Record<string, string>>;
  /** Of test accounts: rate card by the same names, fixed by the first call in that window. */
  readonly pinnedCards: Readonly<Record<string, number>>;
  /**
   * Keys known to be opened: all with the label of `window`, and those of other windows that
   * were looked up or called since the state was loaded.
   */
  readonly opened: OpenedKeys;
}

export const NO_USE: Use = { calls: 0, baseCalls: 0, credits: 0, creditsByKey: [] };

export const initialState: AccountState = {
  version: 0,
  lastAt: 0,
  openedAt: 0,
  suspended: false,
  closedAt: null,
  erasedAt: null,
  currency: '',
  overdraft: 0,
  test: false,
  testClock: null,
  rateLimit: null,
  receipts: undefined,
  lowBalance: null,
  toldLow: false,
  rateCard: null,
  rateCards: undefined,
  plan: null,
  nextPlan: null,
  beforePlan: null,
  includedDue: false,
  profile: '',
  balance: 0,
  totals: { granted: 0, adjusted: 0, charged: 0, expired: 0, voided: 0, billed: 0 },
  grants: [],
  lastGrant: 0,
  apiKeys: [],
  lastApiKey: 0,
  monthSince: null,
  lastClose: null,
  monthUse: NO_USE,
  window: null,
  windowUse: NO_USE,
  rhythm: [],
  otherRhythm: undefined,
  products: undefined,
  budgets: [],
  billing: {
    version: 0,
    invoicedMonth: null,
    profile: null,
    unbilled: [],
    refunds: [],
    reissues: [],
    voids: [],
    balance: 0,
    applying: null,
  },
  disputes: undefined,
  order: undefined,
  holds: undefined,
  pins: {},
  pinnedCards: {},
  opened: OpenedKeys.of(),
};

/** Adds to a state what was looked up: these keys were opened by calls it has seen. */
export function recall(state: AccountState, keys: readonly string[]): AccountState {
  if (keys.length === 0) return state;
  return { ...state, opened: keys.reduce((opened, key) => opened.plus(key), state.opened) };
}

/** Whether a key has expired at a moment (ms since 1970). */
export function isOver({ expiresAt }: Pick<ApiKey, 'expiresAt'>, at: number): boolean {
  return expiresAt !== null && expiresAt <= at;
}

/** The account's present: its own frozen time, or real time that never runs backwards. */
export function momentOf(state: AccountState, now: number): number {
  return state.testClock ?? Math.max(now, state.lastAt);
}

/**
 * Credits that a call may still cost: balance and overdraft without what is held; null without a
 * limit.
 */
export function availableCredits(state: AccountState): number | null {
  if (state.overdraft === null) return null;
  return state.balance + state.overdraft - (state.holds?.credits ?? 0);
}
