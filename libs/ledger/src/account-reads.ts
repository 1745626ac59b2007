/** A page of a list: `next` is the cursor of the page after, or null at the end. */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface GrantView {
  readonly id: string;
  readonly kind: 'purchased' | 'promotional' | 'adjustment';
  readonly credits: number;
  readonly left: number;
  readonly priority: number;
  readonly expires_at: string | null;
  readonly granted_at: string;
}

export interface AccountView {
  readonly id: string;
  readonly name: string | null;
  readonly status: 'active' | 'suspended';
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
  readonly test_clock: string | null;
  readonly now: string;
  readonly window: string;
  readonly window_ends_at: string;
  /** Spent in the running window, in credits. */
  readonly window_credits_used: number;
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
  readonly kind: 'base' | 'repeat';
  readonly call_cost: number;
  readonly data_cost: number;
  readonly credits_used: number;
  readonly balance_after: number;
  readonly api_key_id: string;
  readonly tags: Readonly<Record<string, string>> | null;
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
  readonly adjusted_by: string | null;
  readonly invoice_line: null;
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

export interface CallFilter {
  readonly after: string | null;
  readonly limit: number;
  readonly order: 'asc' | 'desc';
  /** Inclusive and exclusive bounds, ms since 1970. */
  readonly from: number | null;
  readonly to: number | null;
  readonly resourceKey: string | null;
  readonly kind: 'base' | 'repeat' | null;
  readonly apiKeyId: string | null;
  readonly tag: { readonly name: string; readonly value: string | null } | null;
}

/** Thrown for a cursor that no list has handed out. */
export class BadCursorError extends Error {
  override readonly name = 'BadCursorError';
}

/** What is asked of accounts: one implementation for API, admin and portal, always current. */
export interface AccountReads {
  account(accountId: string): Promise<AccountView | undefined>;
  /** Keys called in a window (the running one when null), by key. Undefined: no such account. */
  windows(
    accountId: string,
    window: string | null,
    after: string | null,
    limit: number,
  ): Promise<Page<WindowKeyView> | undefined>;
  calls(accountId: string, filter: CallFilter): Promise<Page<CallView> | undefined>;
  /** `accountId` null: any account (operators). */
  call(accountId: string | null, callId: string): Promise<CallExplanation | undefined>;
  events(
    accountId: string,
    after: string | null,
    limit: number,
  ): Promise<Page<EventView> | undefined>;
}
