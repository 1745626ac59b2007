// What the portal's REST answers, as far as pages use it. Credits are integers, times RFC 3339.

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

export interface Grant {
  readonly id: string;
  readonly kind: 'purchased' | 'promotional' | 'included' | 'adjustment';
  readonly credits: number;
  readonly left: number;
  readonly priority: number;
  readonly expires_at: string | null;
  readonly granted_at: string;
}

export interface BudgetState {
  readonly id: string;
  readonly period: 'month' | 'window';
  readonly limit_credits: number;
  readonly thresholds: readonly number[];
  readonly action: 'alert' | 'block';
  readonly api_key_id: string | null;
  readonly spent_credits: number;
  readonly left_credits: number;
  readonly resets_at: string;
  readonly exhausted_at: string | null;
}

export interface Budget extends BudgetState {
  readonly running_period: string;
  readonly crossed_thresholds: readonly number[];
  readonly blocked: boolean;
  readonly notify: { readonly emails: readonly string[] } | null;
}

export interface Plan {
  readonly monthly_fee: number;
  readonly included_credits: number;
  readonly price_per_1000_credits: number;
}

export interface Account {
  readonly id: string;
  readonly name: string | null;
  readonly status: 'active' | 'suspended' | 'closed';
  readonly test: boolean;
  readonly currency: string;
  readonly balance: number;
  readonly overdraft_credits: number | null;
  readonly available_credits: number | null;
  readonly grants: readonly Grant[];
  readonly plan: Plan | null;
  readonly test_clock: string | null;
  /** The account's present. */
  readonly now: string;
  readonly window: string;
  readonly window_ends_at: string;
  readonly window_credits_used: number;
  readonly budgets: readonly BudgetState[];
  readonly forecast: { readonly exhausted_at: string | null };
  readonly opened_at: string;
  readonly version: number;
}

export interface Session {
  readonly account: Account;
  readonly role: 'viewer' | 'manager';
  readonly expires_at: string;
  readonly billing_time_zone: string;
  readonly base_url: string;
}

export interface WindowKey {
  readonly key: string;
  readonly window: string;
  readonly first_call_at: string;
  readonly calls: number;
  readonly credits_used: number;
  readonly window_ends_at: string;
}

export interface Call {
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

export interface Explanation extends Call {
  readonly asked: string;
  readonly window: string;
  readonly data_window: string;
  readonly window_starts_at: string;
  readonly window_ends_at: string;
  readonly opened_by: { readonly call_id: string; readonly at: string } | null;
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
  readonly invoice_line: { readonly number: string; readonly line: number } | null;
}

export const DIMENSIONS = [
  'day',
  'window',
  'month',
  'resource',
  'region',
  'rule',
  'kind',
  'api_key',
  'key',
  'tag',
] as const;

export type Dimension = (typeof DIMENSIONS)[number];

export type Usage = { readonly [Name in Dimension]?: string | null } & {
  readonly calls: number;
  readonly call_cost: number;
  readonly data_cost: number;
  readonly credits_used: number;
};

export interface ApiKey {
  readonly id: string;
  readonly label: string | null;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: readonly string[];
  readonly expires_at: string | null;
  readonly issued_at: string;
  readonly status: 'active' | 'revoked' | 'expired';
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface IssuedApiKey {
  readonly id: string;
  readonly key?: string;
  readonly label: string | null;
}

export interface Delivery {
  readonly id: string;
  readonly channel: 'webhook' | 'email';
  readonly email: string | null;
  readonly type: string;
  readonly status: string;
  readonly created_at: string;
  readonly next_attempt_at: string | null;
  readonly attempts: readonly {
    readonly id: string;
    readonly at: string;
    readonly duration_ms: number;
    readonly outcome: 'delivered' | 'failed';
    readonly status: number | null;
    readonly detail: string | null;
  }[];
}

export interface BudgetAlert {
  readonly budget_id: string;
  readonly period: string;
  readonly threshold: number;
  readonly limit_credits: number;
  readonly spent_credits: number;
  readonly call_id: string | null;
  readonly at: string;
  readonly deliveries: readonly Delivery[];
}

export interface Webhook {
  readonly id: string;
  readonly url: string;
  readonly events: readonly string[] | null;
  readonly description: string | null;
  readonly created_at: string;
  readonly secret_rotated_at: string | null;
  readonly old_secret_signs_until: string | null;
  readonly secret?: string;
}
