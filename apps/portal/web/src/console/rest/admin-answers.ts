import type { Tax } from '#account/events.js';
import type { Buyer, Seller } from '#billing/invoice.js';
import type { RateCard as Card } from '#rating/rate-card.js';
import type { Grant, Webhook } from '../../rest/answers.js';

// What the admin REST answers, as far as the console uses it. Credits are integers, money is minor
// units, times are RFC 3339.

export type Role = 'owner' | 'billing' | 'support' | 'data';

export interface ConsoleSession {
  readonly token_id: string;
  readonly name: string | null;
  readonly role: Role;
  readonly billing_time_zone: string;
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
  /** Null: no event, but sign-ins counted by the minute. */
  readonly lane: number | null;
  readonly position: number | null;
  readonly data: Readonly<Record<string, unknown>>;
}

export interface PortalSession {
  readonly id: string;
  readonly role: 'viewer' | 'manager';
  readonly status: 'unused' | 'active' | 'expired' | 'revoked';
  readonly opened_by: string;
  readonly opened_at: string;
  readonly redeemed_at: string | null;
  readonly link_expires_at: string;
  readonly used_at: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
}

export interface OpenedPortalSession {
  readonly id: string;
  readonly url?: string;
}

/** Who sends invoices, or whom they are addressed to: what is filled in of it. */
export type Party = Partial<Seller & Buyer & { readonly tax: Tax }>;

export interface RateCard extends Card {
  readonly effective_from: string | null;
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

export interface InvoiceRun {
  readonly id: string;
  readonly status: 'running' | 'ended';
  readonly month: string;
  /** Accounts with something to bill, and those of them whose invoice is made. */
  readonly accounts: number;
  readonly done: number;
  readonly documents: number;
  /** Null until it has ended. */
  readonly issued: number | null;
  readonly skipped: number | null;
  /** Null while another process is at it. */
  readonly failed: number | null;
  readonly failures:
    | readonly {
        readonly account_id: string;
        readonly month: string;
        readonly detail: string;
      }[]
    | null;
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
  readonly damaged_accounts: readonly {
    readonly account_id: string;
    readonly lane: number;
    readonly position: number;
    readonly account_version: number;
    readonly error: string;
  }[];
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
  readonly not_covered: readonly string[] | null;
}

export interface OperatorWebhook extends Webhook {
  readonly account_id: string | null;
}
