import type {
  Account,
  ApiKey,
  Budget,
  Delivery,
  Grant,
  Plan,
  Webhook,
} from '../../rest/answers.js';
import type { CreditNoteSummary, Invoice, InvoiceSummary } from '../../rest/data-answers.js';

// What the admin REST answers, as far as the console uses it. Credits are integers, money is minor
// units, times are RFC 3339.

export type Role = 'owner' | 'billing' | 'support' | 'data';

export interface ConsoleSession {
  readonly token_id: string;
  readonly name: string | null;
  readonly role: Role;
  readonly billing_time_zone: string;
}

export interface OperatorPlan extends Plan {
  readonly tax: {
    readonly category: string;
    readonly rate_percent: number;
    readonly reason?: string;
  };
}

export interface OperatorAccount extends Account {
  readonly plan: OperatorPlan | null;
  readonly plan_next_month: OperatorPlan | null;
  readonly rate_limit: { readonly per_second: number; readonly burst: number } | null;
  readonly low_balance_credits: number | null;
  readonly rate_card: number | null;
}

export interface OperatorGrant extends Grant {
  readonly price: number | null;
  readonly note: string | null;
  readonly status: 'active' | 'spent' | 'expired' | 'voided';
}

export interface AuditEntry {
  readonly at: string;
  readonly by: string | null;
  readonly by_name: string | null;
  readonly type: string;
  readonly account_id: string | null;
  readonly reason: string | null;
  readonly request_id: string | null;
  readonly lane: number;
  readonly position: number;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface PortalSession {
  readonly id: string;
  readonly role: 'viewer' | 'manager';
  readonly status: 'unused' | 'active' | 'expired' | 'revoked';
  readonly opened_by: string;
  readonly opened_at: string;
  readonly redeemed_at: string | null;
  readonly expires_at: string | null;
}

export interface OpenedPortalSession {
  readonly id: string;
  readonly url?: string;
}

export interface Address {
  readonly line1: string;
  readonly line2?: string;
  readonly city: string;
  readonly postcode: string;
  readonly country: string;
}

/** Who sends invoices, or whom they are addressed to: what is filled in of it. */
export interface Party {
  readonly name?: string;
  readonly address?: Address;
  readonly vat_id?: string;
  readonly registration_id?: string;
  readonly email?: string;
  readonly iban?: string;
  readonly payment_days?: number;
  readonly buyer_reference?: string;
  readonly purchase_order?: string;
}

export type RuleMatch = Readonly<Record<string, string>>;
export type DataCost = { readonly flat: number } | { readonly per_row: number };

export interface RateRule {
  readonly name: string;
  readonly match: RuleMatch;
  readonly data_cost: DataCost;
}

export interface RateCard {
  readonly version: number;
  readonly effective_window: string | null;
  readonly effective_from: string | null;
  readonly call_cost: number;
  readonly rules: readonly RateRule[];
  readonly in_force: boolean;
  readonly in_force_next: boolean;
  readonly published_at: string | null;
  readonly published_by: string | null;
  readonly reason: string | null;
}

interface PreviewSums {
  readonly calls: number;
  readonly actual_credits: number;
  readonly preview_credits: number;
  readonly difference: number;
}

export interface RateCardPreview {
  readonly total: PreviewSums & { readonly accounts: number };
  readonly items: readonly (PreviewSums & {
    readonly account_id: string;
    readonly name: string | null;
    readonly rate_card: number | null;
  })[];
}

export interface Release {
  readonly release: string;
  readonly window: string;
  readonly through: string;
  readonly sha256: string;
  readonly published_at: string;
  readonly categories: number;
  readonly brands: number;
  readonly relations: number;
  readonly volumes: number;
}

export interface OperatorInvoiceSummary extends InvoiceSummary {
  readonly account_id: string;
  readonly test: boolean;
}

export interface OperatorCreditNote extends Omit<CreditNoteSummary, 'invoice' | 'reason'> {
  readonly account_id: string;
  readonly test: boolean;
  readonly invoice_number: string;
}

export interface Payment {
  readonly id: string;
  readonly amount: number;
  readonly date: string;
  readonly reference: string | null;
  readonly recorded_at: string;
}

export interface OperatorInvoice extends Invoice {
  readonly account_id: string;
  readonly credit_notes?: readonly string[];
  readonly payments?: readonly Payment[];
}

export interface InvoiceRun {
  readonly issued: number;
  readonly skipped: number;
  readonly failed: number;
  readonly failures: readonly {
    readonly account_id: string;
    readonly month: string;
    readonly detail: string;
  }[];
}

interface Work {
  readonly status: 'running' | 'done' | 'failed';
  readonly started_at: string;
  readonly ended_at: string | null;
  readonly events: number;
  readonly events_total: number;
  readonly error: string | null;
}

export interface Rebuild extends Work {
  readonly stage: 'building' | 'switching' | 'catching-up';
}

export interface Projection {
  readonly name: string;
  readonly version: number;
  readonly status: string;
  readonly lag: number;
  readonly error: string | null;
  readonly rebuild: Rebuild | null;
}

export interface Verification extends Work {
  readonly lanes: number;
  readonly lanes_total: number;
  readonly intact: boolean | null;
  readonly checks:
    | readonly {
        readonly check: string;
        readonly rule: string;
        readonly differences: number;
        readonly first: unknown;
      }[]
    | null;
}

export interface OperatorWebhook extends Webhook {
  readonly account_id: string | null;
}

export type { ApiKey, Budget, Delivery };
