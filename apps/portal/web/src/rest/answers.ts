import type { UsageDimension } from '#ledger/views/usage-dimension.js';
import type {
  AccountView,
  CallExplanation,
  CallView,
  GrantView,
  Page,
  UsageView,
  WindowKeyView,
} from '../../../../../libs/ledger/src/views/account-reads.js';

// What the portal's REST answers, as far as pages use it. Credits are integers, times RFC 3339.

export type { Member, Membership } from '#rest/members/member.schemas.js';
export type { Page };
export type Grant = GrantView;
export type Account = AccountView;
export type WindowKey = WindowKeyView;
export type Call = CallView;
export type Explanation = CallExplanation;
export type Dimension = UsageDimension;
export type Usage = UsageView;
export type { ApiKey, IssuedApiKey } from '#rest/api-keys/api-key.schemas.js';
export type { BudgetDetails as Budget, TriedBudget } from '#rest/budgets/budget.schemas.js';
export type { Forecast, Prices } from '#rest/outlook/outlook.schemas.js';
export type {
  LogDifference,
  ReconciliationSums,
} from '#rest/reconciliations/reconciliation.schemas.js';
export type { Savings } from '#rest/savings/savings.schemas.js';
export type { DisputeView as Dispute } from '../../../../../libs/ledger/src/views/dispute-view.js';
export type { RefusalView as RefusedCall } from '#rest/refusals/refusal.schemas.js';
export type {
  OwnSession,
  SignedIn as Session,
} from '#rest/portal-sessions/portal-session.schemas.js';

export interface Delivery {
  readonly id: string;
  readonly channel: 'webhook' | 'email';
  readonly email: string | null;
  readonly type: string;
  /** Of the document that an e-mail is about. */
  readonly number: string | null;
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
