import type { CreditNoteRecord, InvoiceRecord } from './billing-events.js';
import type { BudgetAction, BudgetPeriod } from './budget-events.js';
import type { ChargeRequest } from './charging.js';
import type { OpenDispute, ResolveDispute } from './dispute-commands.js';
import type { GrantKind, Origin, Plan, ProfileReference, Tax } from './events.js';
import type { Scope } from './key-directory.js';
import type { PortalRole } from './portal-session-events.js';

// Commands of one account. Times are ms since 1970, credits integers, money integer minor units.

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

export interface OpenAccount {
  readonly command: 'open-account';
  readonly origin: Origin;
  readonly profile: ProfileReference;
  readonly currency: string;
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly testClock: number | null;
  readonly rateLimit: RateLimit | null;
  readonly lowBalance: number | null;
  readonly rateCard: number | null;
  readonly plan: Plan | null;
  readonly receipts?: boolean | undefined;
}

/** Changes what is given; a member that is absent or as it was changes nothing. */
export interface ChangeAccount {
  readonly command: 'change-account';
  readonly origin: Origin;
  readonly changes: {
    /** The row that holds the new name and the rest of it. */
    readonly profile?: ProfileReference | undefined;
    readonly overdraft?: number | null;
    readonly rateLimit?: RateLimit | null;
    readonly lowBalance?: number | null;
    readonly rateCard?: number | null;
    /** From the next month on. */
    readonly plan?: Plan | null;
    readonly receipts?: boolean | undefined;
  };
  /** The row that `profile` was made from: if another has replaced it, the change is refused. */
  readonly profileBefore?: string | undefined;
}

/** Ends the use of an account for ever: its API keys stop working. */
export interface CloseAccount {
  readonly command: 'close-account';
  readonly origin: Origin;
}

/** Records that these rows of a closed account are blanked; the caller blanks them. */
export interface EraseProfile {
  readonly command: 'erase-profile';
  readonly origin: Origin;
  readonly profiles: readonly string[];
}

export interface SuspendAccount {
  readonly command: 'suspend-account' | 'resume-account';
  readonly origin: Origin;
}

export interface IssueApiKey {
  readonly command: 'issue-api-key';
  readonly origin: Origin;
  readonly keyId: string;
  readonly hash: string;
  readonly prefix: string;
  readonly lastFour: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  readonly profile: ProfileReference;
  /** Id of the API key that asks for it: it gets at most what it has itself. Absent: none asks. */
  readonly issuer?: string;
}

export interface RevokeApiKey {
  readonly command: 'revoke-api-key';
  readonly origin: Origin;
  readonly keyId: string;
  /** Whether the log holds that key: one that is over is not in the state. */
  readonly wasIssued: boolean;
}

/** Lets a key end at a moment, unless it ends before. */
export interface EndApiKey {
  readonly command: 'end-api-key';
  readonly origin: Origin;
  readonly keyId: string;
  /** As where it is revoked. */
  readonly wasIssued: boolean;
  readonly expiresAt: number;
}

export interface GrantCredits {
  readonly command: 'grant-credits';
  readonly origin: Origin;
  readonly grantId: string;
  readonly credits: number;
  readonly kind: Exclude<GrantKind, 'included'>;
  readonly price: number | null;
  readonly expiresAt: number | null;
  readonly priority: number;
  readonly profile: ProfileReference | null;
}

/** Takes back what is left of a grant. */
export interface VoidGrant {
  readonly command: 'void-grant';
  readonly origin: Origin;
  readonly grantId: string;
  /** Whether the log holds that grant: one with nothing left of it is not in the state. */
  readonly wasGiven: boolean;
  /** False: what was paid for it is forfeited. */
  readonly refund: boolean;
  /** Most that can be given back, net; absent: what the credits are worth. */
  readonly refundMost?: number | undefined;
}

export interface AdjustCredits {
  readonly command: 'adjust-credits';
  readonly origin: Origin & { readonly reason: string };
  /** Positive gives, negative takes. */
  readonly credits: number;
  /** The call that is given back, with what it was charged. */
  readonly call: {
    readonly callId: string;
    readonly charged: number;
    /** When it was made, ms since 1970, where its month must not be invoiced yet. */
    readonly at?: number;
  } | null;
  /** Id under which credits given are kept. */
  readonly grantId: string;
  /** Of a call that is given back whatever was invoiced: what else is recorded with it. */
  readonly billing?: {
    /** The account's `billing.version` that it was decided at. */
    readonly after: number;
    /** Takes back the part of the charge that was billed. */
    readonly note: CreditNoteRecord | null;
  };
}

export interface MoveTestClock {
  readonly command: 'move-test-clock';
  readonly origin: Origin;
  readonly now: number;
}

export interface SetBudget {
  readonly command: 'set-budget';
  readonly origin: Origin;
  readonly budgetId: string;
  /** True makes a budget of that id, false changes all of the one that is there. */
  readonly isNew: boolean;
  readonly apiKeyId: string | null;
  readonly period: BudgetPeriod;
  readonly limit: number;
  /** Whole percentages from 1 to 100, ascending, at most 10. */
  readonly thresholds: readonly number[];
  readonly action: BudgetAction;
  readonly notify: ProfileReference | null;
}

export interface RemoveBudget {
  readonly command: 'remove-budget';
  readonly origin: Origin;
  readonly budgetId: string;
}

/** Says whom invoices are addressed to. */
export interface ChangeBilling {
  readonly command: 'change-billing';
  readonly origin: Origin;
  readonly profile: ProfileReference;
  /** Of what no plan taxes; absent: nothing is said. */
  readonly tax?: Tax;
  /** Purchases stay on their month's invoice; absent: they do not. */
  readonly purchases?: 'monthly';
}

/** Records what was decided about an invoice, on all events about invoices up to `after`. */
export interface RecordBilling {
  readonly command: 'record-billing';
  readonly origin: Origin;
  /** The account's `billing.version` that it was decided at. */
  readonly after: number;
  readonly record: InvoiceRecord;
  /** The call that it gives back alone. */
  readonly callId?: string;
  /** Purchases of which a credit note gives net amounts back: their unused credits go with it. */
  readonly purchases?: readonly (readonly [grantId: string, amount: number])[] | undefined;
  /** Ids of promotional grants that these credits are kept as, in that order; absent: they go. */
  readonly keptAs?: readonly string[] | undefined;
  /** Purchases that a month's invoice bills: refused if a part of one was voided since. */
  readonly bills?: readonly BilledPurchase[];
}

/** A purchase as an invoice bills it; its amount is net. */
export type BilledPurchase = readonly [grantId: string, credits: number, amount: number];

/** Records that a link was made that opens the customers' portal. */
export interface OpenPortalSession {
  readonly command: 'open-portal-session';
  readonly origin: Origin;
  readonly sessionId: string;
  readonly role: PortalRole;
  readonly hash: string;
  /** Real time. */
  readonly linkExpiresAt: number;
}

/** Records that a session opens nothing any more; the caller knows that there was one. */
export interface RevokePortalSession {
  readonly command: 'revoke-portal-session';
  readonly origin: Origin;
  readonly sessionId: string;
}

/** Records that a person may sign in to the portal; the caller knows the e-mail address. */
export interface AddMember {
  readonly command: 'add-member';
  readonly origin: Origin;
  readonly memberId: string;
  readonly role: PortalRole;
}

/** Records that a person may not sign in any more; the caller knows that it could. */
export interface RemoveMember {
  readonly command: 'remove-member';
  readonly origin: Origin;
  readonly memberId: string;
}

/** Records what has fallen due, and nothing else. */
export interface Tick {
  readonly command: 'tick';
}

/** Reports budgets that will be exceeded, beside what has fallen due. */
export interface ReportForecasts {
  readonly command: 'report-forecasts';
}

/** Records that a call is answered to another request than the one that made it. */
export interface ReplayCall {
  readonly command: 'replay-call';
  readonly callId: string;
}

export interface MakeCall {
  readonly command: 'make-call';
  readonly request: ChargeRequest;
}

export type Command =
  | OpenAccount
  | SuspendAccount
  | ChangeAccount
  | CloseAccount
  | EraseProfile
  | IssueApiKey
  | RevokeApiKey
  | EndApiKey
  | GrantCredits
  | VoidGrant
  | AdjustCredits
  | MoveTestClock
  | SetBudget
  | RemoveBudget
  | ChangeBilling
  | RecordBilling
  | OpenPortalSession
  | RevokePortalSession
  | AddMember
  | RemoveMember
  | OpenDispute
  | ResolveDispute
  | Tick
  | ReportForecasts
  | ReplayCall
  | MakeCall;
