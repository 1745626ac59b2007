import type {
  AccountView,
  BudgetView,
  CallExplanation,
  CallView,
  GrantView,
  Page,
  UsageView,
  WindowKeyView,
  UsageDimension,
} from '../../../../../libs/ledger/src/views/account-reads.js';

// What the portal's REST answers, as far as pages use it. Credits are integers, times RFC 3339.

export type { Page };
export type Grant = GrantView;
export type Account = AccountView;
export type WindowKey = WindowKeyView;
export type Call = CallView;
export type Explanation = CallExplanation;
export type Dimension = UsageDimension;
export type Usage = UsageView;

export interface Budget extends BudgetView {
  readonly running_period: string;
  readonly crossed_thresholds: readonly number[];
  readonly blocked: boolean;
  readonly notify: { readonly emails: readonly string[] } | null;
}

export interface Session {
  readonly account: Account;
  readonly role: 'viewer' | 'manager';
  readonly expires_at: string;
  readonly billing_time_zone: string;
  readonly base_url: string;
}

/** A link to the portal, or who is signed in with it. */
export interface OwnSession {
  readonly id: string;
  readonly role: 'viewer' | 'manager';
  readonly status: 'unused' | 'active' | 'expired' | 'revoked';
  readonly opened_at: string;
  readonly link_expires_at: string;
  readonly redeemed_at: string | null;
  readonly used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  /** Whether it is the one that asks. */
  readonly current: boolean;
}

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
