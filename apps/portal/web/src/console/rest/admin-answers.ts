import type { Call, Webhook } from '../../rest/answers.js';

// What the admin REST answers, as far as the console uses it. Credits are integers, money is minor
// units, times are RFC 3339.

export type { AuditEntry } from '#rest/audit/audit.schemas.js';
export type { ConsoleSession } from '#rest/console-sessions/console-session.schemas.js';
export type { GrantDetails as OperatorGrant } from '#rest/credits/credit.schemas.js';
export type { ExchangeRate } from '#rest/exchange-rates/exchange-rate.schemas.js';
export type { InvoiceRun } from '#rest/invoices/invoice-run.schemas.js';
export type { Party } from '../../rest/data-answers.js';
export type { Role } from '#rest/operation/role.js';
export type {
  NewPortalSession as OpenedPortalSession,
  PortalSession,
} from '#rest/portal-sessions/portal-session.schemas.js';
export type { RateCard, RateCardPreview } from '#rest/rate-cards/rate-card.schemas.js';
export type { Found } from '#rest/search/search.schemas.js';
export type { Summary } from '#rest/summary/summary.schemas.js';
export type { Projection, Rebuild, Release, Verification } from '#rest/system/system.schemas.js';

export interface AccountCall extends Call {
  readonly account_id: string;
  readonly account_name: string | null;
}

export interface OperatorWebhook extends Webhook {
  readonly account_id: string | null;
}
