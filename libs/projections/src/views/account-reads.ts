import type { ChargedCall } from '#reconciliation/matching.js';
import type { CallKind, Plan } from '#account/terms.js';
import type { OutlookView } from './outlook-view.js';
import type { TagDimension, UsageDimension } from './usage-dimension.js';

/** The order of a list: as it is, or from its end. */
export type ListOrder = 'asc' | 'desc';

/** A page of a list: `next` is the cursor of the page after, or null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface GrantView {
  readonly id: string;
  readonly kind: 'purchased' | 'promotional' | 'included' | 'adjustment';
  readonly credits: number;
  readonly left: number;
  readonly priority: number;
  readonly expires_at: string | null;
  readonly granted_at: string;
}

/** A budget, with what is spent of it in its running period. */
export interface BudgetView {
  readonly id: string;
  readonly period: 'month' | 'window';
  readonly limit_credits: number;
  /** Percentages of the limit, ascending. */
  readonly thresholds: readonly number[];
  readonly action: 'alert' | 'block';
  /** The API key whose calls count; null: those of the whole account. */
  readonly api_key_id: string | null;
  readonly spent_credits: number;
  readonly left_credits: number;
  readonly resets_at: string;
  /** When it is used up if the account goes on as it did; null: not before its period ends. */
  readonly exhausted_at: string | null;
  /** Spent by the end of the period. */
  readonly expected_credits: number;
}

export interface AccountView {
  readonly id: string;
  readonly name: string | null;
  /** Both for operators alone. */
  readonly external_id?: string | null;
  readonly metadata?: Readonly<Record<string, string>>;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly test: boolean;
  readonly currency: string;
  /** Credits; null for accounts without a limit only in `available_credits`. */
  readonly balance: number;
  readonly overdraft_credits: number | null;
  readonly available_credits: number | null;
  readonly grants: readonly GrantView[];
  readonly rate_limit: { readonly per_second: number; readonly burst: number } | null;
  readonly low_balance_credits: number | null;
  readonly rate_card: number | null;
  readonly rate_cards: Readonly<Record<string, number>>;
  readonly receipts: boolean;
  /** In force in the running month; null: none. */
  readonly plan: Plan | null;
  readonly plan_next_month: Plan | null;
  readonly test_clock: string | null;
  readonly now: string;
  readonly window: string;
  readonly window_ends_at: string;
  /** Spent in the running window, in credits. */
  readonly window_credits_used: number;
  readonly budgets: readonly BudgetView[];
  /** If it goes on as in its last windows. */
  readonly forecast: {
    /** When balance and overdraft are used up; null: not in sight. */
    readonly exhausted_at: string | null;
    /** When the balance alone is. */
    readonly balance_exhausted_at: string | null;
    readonly month_credits: number;
    readonly next_window_credits: number;
    readonly confidence: 'high' | 'medium' | 'low';
  };
  readonly opened_at: string;
  readonly version: number;
}

/** State of one key in one window (specification 3). */
export interface WindowKeyView {
  readonly key: string;
  readonly window: string;
  readonly first_call_at: string;
  readonly calls: number;
  readonly credits_used: number;
  readonly window_ends_at: string;
}

export interface CallView {
  readonly call_id: string;
  readonly at: string;
  readonly key: string;
  readonly kind: CallKind;
  readonly call_cost: number;
  readonly data_cost: number;
  readonly credits_used: number;
  readonly balance_after: number;
  readonly api_key_id: string;
  readonly tags: Readonly<Record<string, string>> | null;
}

/** Where a call stands on an invoice. */
export interface InvoiceLineReference {
  readonly number: string;
  readonly line: number;
}

/** Why one call cost what it cost. */
export interface CallExplanation extends CallView {
  readonly account_id: string;
  readonly asked: string;
  /** Label of the window in which it was made; the key may hold an older one. */
  readonly window: string;
  readonly data_window: string;
  readonly window_starts_at: string;
  readonly window_ends_at: string;
  readonly window_local: { readonly zone: string; readonly starts: string; readonly ends: string };
  readonly opened_by: { readonly call_id: string; readonly at: string };
  readonly rate_card: number;
  readonly rule: string;
  readonly rows: number;
  readonly release: string;
  readonly draws: readonly { readonly grant_id: string; readonly credits: number }[];
  readonly overdraft_credits: number;
  readonly balance_before: number;
  readonly log: {
    readonly lane: number;
    readonly position: number;
    readonly account_version: number;
  };
  /** Id of the adjustment that gave it back, before its month was invoiced. */
  readonly adjusted_by: string | null;
  /** Numbers of the credit notes that name it, afterwards. */
  readonly credited_by: readonly string[];
  /** Null before its month is invoiced. */
  readonly invoice_line: InvoiceLineReference | null;
}

export interface EventView {
  readonly lane: number;
  readonly position: number;
  readonly account_version: number;
  readonly type: string;
  readonly at: string;
  readonly call_id: string | null;
  readonly data: Readonly<Record<string, unknown>>;
}

/** Keys in their own order, or the dearest first. */
export const WINDOW_ORDERS = ['key', 'credits'] as const;
export type WindowOrder = (typeof WINDOW_ORDERS)[number];

/** Filter of a window's keys. */
export interface WindowFilter {
  /** Label of the window; null: the running one. */
  readonly window: string | null;
  readonly after: string | null;
  readonly limit: number;
  /** As of this moment (inclusive, ms since 1970); null: now. */
  readonly asOf: number | null;
  /** By key by default. */
  readonly order?: WindowOrder;
}

/** Sums of calls, in credits. */
export interface UsageSums {
  readonly calls: number;
  readonly call_cost: number;
  readonly data_cost: number;
  readonly credits_used: number;
}

type PlainDimension = Exclude<UsageDimension, 'tags' | TagDimension>;

/**
 * Sums of calls with the same values of the dimensions. `tags`: those that are grouped by, in the
 * order of their names; one that calls lack is null, and so are all tags of calls without any.
 */
export type UsageView = UsageSums &
  Readonly<Partial<Record<PlainDimension, string | null>>> & {
    readonly tags?: Readonly<Record<string, string | null>> | null;
  };

/** Conditions on calls; null: none. */
export interface CallMatch {
  readonly resourceKey: string | null;
  readonly resource: string | null;
  readonly region: string | null;
  readonly rule: string | null;
  readonly kind: CallKind | null;
  readonly apiKeyId: string | null;
  readonly tag: { readonly name: string; readonly value: string | null } | null;
}

export interface UsageFilter {
  /** Absent: all calls. */
  readonly match?: CallMatch;
  readonly by: readonly UsageDimension[];
  /** Inclusive and exclusive bounds, ms since 1970. */
  readonly from: number | null;
  readonly to: number | null;
  readonly after: string | null;
  readonly limit: number;
  readonly asOf: number | null;
  /** By their dimensions, ascending by default. */
  readonly order?: ListOrder;
}

export interface CallFilter extends CallMatch {
  readonly after: string | null;
  readonly limit: number;
  readonly order: ListOrder;
  /** Inclusive and exclusive bounds, ms since 1970. */
  readonly from: number | null;
  readonly to: number | null;
}

/** The first page of all calls. */
export const EVERY_CALL: Omit<CallFilter, 'limit'> = {
  after: null,
  order: 'asc',
  from: null,
  to: null,
  resourceKey: null,
  resource: null,
  region: null,
  rule: null,
  kind: null,
  apiKeyId: null,
  tag: null,
};

/** A call that drew on a grant. */
export interface GrantCallView extends CallView {
  /** Credits that it drew on that grant. */
  readonly credits_drawn: number;
}

/** Rows of a whole list, some at a time. */
export type Batches<Item> = AsyncIterable<readonly Item[]>;

/**
 * Reads of accounts: one implementation for API, admin and portal, always current, or as of a
 * moment of the account's clock, with all events that had fallen due by then. Undefined: no such
 * account. Cursors and moments that cannot be are thrown as errors.
 */
export interface AccountReads {
  account(accountId: string, asOf?: number | null): Promise<AccountView | undefined>;
  /** Spending and prices to come. */
  outlook(accountId: string): Promise<OutlookView | undefined>;
  /** Keys called in a window. */
  windows(accountId: string, filter: WindowFilter): Promise<Page<WindowKeyView> | undefined>;
  /** Sums of calls, ordered by what they are grouped by. */
  usage(accountId: string, filter: UsageFilter): Promise<Page<UsageView> | undefined>;
  calls(accountId: string, filter: CallFilter): Promise<Page<CallView> | undefined>;
  /** All that pass, up to the one that is the newest when it is asked for; `limit` is for pages. */
  everyCall(accountId: string, filter: CallFilter): Promise<Batches<CallView> | undefined>;
  /**
   * Charges between two moments (both included, ms since 1970) in order of time; none: not opened.
   */
  chargedCalls(accountId: string, from: number, to: number): Batches<ChargedCall>;
  chargedCallsOf(accountId: string, callIds: readonly string[]): Promise<readonly ChargedCall[]>;
  /** Calls that drew on a grant. Undefined: no such account, or no such grant. */
  grantCalls(
    accountId: string,
    grantId: string,
    filter: CallFilter,
  ): Promise<Page<GrantCallView> | undefined>;
  everyGrantCall(
    accountId: string,
    grantId: string,
    filter: CallFilter,
  ): Promise<Batches<GrantCallView> | undefined>;
  /** `accountId` null: any account (operators). */
  call(accountId: string | null, callId: string): Promise<CallExplanation | undefined>;
  events(
    accountId: string,
    after: string | null,
    limit: number,
    order?: ListOrder,
  ): Promise<Page<EventView> | undefined>;
}
