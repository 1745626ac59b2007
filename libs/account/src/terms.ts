// These names are the stored format: types and members may be added, never renamed or removed.
// Credits are integers; times inside `data` are RFC 3339 in UTC; `at` is ms since 1970.

/** `each`: of a rate card without repeats, where every call pays for its data. */
export type CallKind = 'base' | 'repeat' | 'each';

/** A settlement above its hold: charged what was held, or more where the account can pay it. */
export type OverHold = 'cap' | 'extend';

/** `included` are a plan's credits of one month. */
export type GrantKind = 'purchased' | 'promotional' | 'included';

/** Counts by which a call is priced, by their names: whole numbers of at least 0. */
export type Units = Readonly<Record<string, number>>;

/** Credits taken from one grant: the grant's ordinal in the account, the credits. */
export type Draw = readonly [grant: number, credits: number];

/** A row of personal texts (names, notes, free texts), named by id and SHA-256 in hex. */
export interface ProfileReference {
  readonly id: string;
  readonly sha256: string;
}

/** Actor, reason and request of a change; `input` is a digest of the request. */
export interface Origin {
  readonly by: string;
  readonly request: string;
  readonly input: string;
  readonly reason?: string;
}

/** Tax of a sale. */
export interface Tax {
  /** A VAT category code of EN 16931. */
  readonly category: 'S' | 'Z' | 'E' | 'AE' | 'G' | 'O';
  readonly rate_percent: number;
  /** Why no tax is due. */
  readonly reason?: string;
}

/** Monthly terms beside calls. Amounts are minor units of the account's currency, net. */
export interface Plan {
  readonly monthly_fee: number;
  /** Credits given at the start of each month, which end with it. */
  readonly included_credits: number;
  readonly price_per_1000_credits: number;
  readonly tax: Tax;
}

export interface RateLimitTerms {
  readonly per_second: number;
  readonly burst: number;
}

/** Whether the refund of a purchase needs a credit note, or its invoice bills less or nothing. */
export type RefundBy = 'credit_note' | 'lower_invoice' | 'no_invoice';

/** Sums over all that ever happened to an account, in credits; they add up to its balance. */
export interface Totals {
  readonly granted: number;
  readonly adjusted: number;
  readonly charged: number;
  readonly expired: number;
  readonly voided: number;
  /** Debt that was billed as overage. */
  readonly billed: number;
}

// Commands of one account. Times are ms since 1970, credits integers, money integer minor units.

export interface RateLimit {
  readonly perSecond: number;
  readonly burst: number;
}

/** A purchase as an invoice bills it; its amount is net. */
export type BilledPurchase = readonly [grantId: string, credits: number, amount: number];

export type Scope = 'data' | 'account:read' | 'account:write';

// As in events.ts: these names are the stored format, for ever.

export type BudgetPeriod = 'month' | 'window';

export type BudgetAction = 'alert' | 'block';

// These names are the stored format: types and members may be added, never renamed or removed.

/** Role of a session of the customers' portal: a viewer reads, a manager also changes. */
export type PortalRole = 'viewer' | 'manager';

/** Credits of a purchase that go with a credit note, and the net amount that it gives back. */
export type CreditedPurchase = readonly [grantId: string, credits: number, amount: number];
