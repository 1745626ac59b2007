import { isEventName, type DataOf, type EventName } from './event-types.js';

// These names are the stored format: types and members may be added, never renamed or removed.
// Credits are integers; times inside `data` are RFC 3339 in UTC; `at` is ms since 1970.

export type CallKind = 'base' | 'repeat';
/** `included` are a plan's credits of one month. */
export type GrantKind = 'purchased' | 'promotional' | 'included';

/** Credits taken from one grant: the grant's ordinal in the account, the credits. */
export type Draw = readonly [grant: number, credits: number];

/** A row of the second truth (names, notes, free texts), named by id and SHA-256 in hex. */
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

export interface AccountOpened extends Origin {
  readonly profile: ProfileReference;
  readonly currency: string;
  /** Null: no limit. */
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly test_clock: string | null;
  readonly rate_limit: RateLimitTerms | null;
  readonly low_balance: number | null;
  readonly rate_card: number | null;
  /** In force for the whole month of the opening; absent without one. */
  readonly plan?: Plan;
  /** Answers carry receipts, whether or not they are preferred. */
  readonly receipts?: boolean;
}

/** Terms that an operator changed; what is absent stayed as it was. */
export interface AccountChanged extends Origin {
  /** The row with the account's new name. */
  readonly profile?: ProfileReference;
  readonly overdraft?: number | null;
  readonly rate_limit?: RateLimitTerms | null;
  readonly low_balance?: number | null;
  readonly rate_card?: number | null;
  /** From the next month on; null: none any more. */
  readonly plan?: Plan | null;
  readonly receipts?: boolean;
}

/** Personal data of a closed account was blanked. */
export interface ProfileErased extends Origin {
  /** Ids of the rows of the second truth. */
  readonly profiles: readonly string[];
}

export interface CreditsGranted extends Origin {
  /** Ordinal in the account, shared with credits given by adjustments: 1, 2, 3, … */
  readonly grant: number;
  readonly grant_id: string;
  readonly credits: number;
  readonly kind: GrantKind;
  /** Net, in minor units of the account's currency; purchased grants only. */
  readonly price: number | null;
  readonly expires_at: string | null;
  readonly priority: number;
  readonly profile: ProfileReference | null;
  /** The part that repaid a debt at once. */
  readonly repaid: number;
  readonly balance: number;
  /** The credit note that gave the price of these credits back, which are kept; else absent. */
  readonly credit_note_id?: string;
  /** Of a purchase: on an invoice of its own; absent: on its month's, as in older versions. */
  readonly invoiced?: 'at_once';
  /** Head of the account's chain (hex) before the event, if it is invoiced at once. */
  readonly account_head?: string;
}

/** The rest of a grant expires. */
export interface GrantExpired {
  readonly grant: number;
  readonly grant_id: string;
  readonly credits: number;
  readonly balance: number;
}

/** Whether the refund of a purchase needs a credit note, or its invoice bills less or nothing. */
export type RefundBy = 'credit_note' | 'lower_invoice' | 'no_invoice';

/** An operator takes back the rest of a grant, or a credit note takes a part of it with it. */
export interface GrantVoided extends Origin {
  readonly grant: number;
  readonly grant_id: string;
  readonly credits: number;
  readonly balance: number;
  /** Credits left of the grant: 0 but for a credit note. Absent in events of older versions. */
  readonly left?: number;
  /** Net, in minor units, that is given back; absent: nothing is, the credits are forfeited. */
  readonly refund?: number;
  /** Absent where a credit note took the credits with it. */
  readonly refund_by?: RefundBy;
  readonly credit_note_id?: string;
}

/** Credits given back (positive) or taken (negative) by hand. */
export interface Adjusted extends Origin {
  readonly credits: number;
  readonly reason: string;
  /** The call that is corrected, at most once each. */
  readonly call_id: string | null;
  /** Positive: the ordinal under which the credits are kept, never expiring; else null. */
  readonly grant: number | null;
  readonly grant_id: string | null;
  readonly repaid: number;
  /** Negative: the grants it was taken from. */
  readonly draws: readonly Draw[];
  readonly balance: number;
}

export interface TestClockMoved extends Origin {
  readonly now: string;
}

export interface CallMade {
  readonly key: string;
  /** The path as sent, in the form of `askedForm`; absent when `latest` was asked for. */
  readonly asked?: string | undefined;
  /** Label of the running window; absent when it is the label in the key (`windowOfCall`). */
  readonly window?: string | undefined;
  readonly release: string;
  /** Ordinal of the API key. */
  readonly api_key: number;
  readonly rows: number;
  readonly kind: CallKind;
  /** Credits: call cost, data cost. */
  readonly cost: readonly [number, number];
  /** Version of the rate card. */
  readonly card: number;
  readonly rule: string;
  readonly draws: readonly Draw[];
  /** After the call. What no grant covered stands in it as debt. */
  readonly balance: number;
  readonly tags?: Readonly<Record<string, string>> | undefined;
  /** Id of the HTTP request; absent where no other may ask for the same call. */
  readonly request?: string | undefined;
}

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

/** The first instant of a month closes the last one in which something happened. */
export interface MonthClosed {
  /** Label of the month that ended: `2026-11`. */
  readonly month: string;
  /** In force in that month. */
  readonly plan: Plan | null;
  /** Calls of the month and what they were charged. */
  readonly calls: number;
  readonly credits: number;
  /** Balance as the month began, as it ended, and after this event. */
  readonly opening_balance: number;
  readonly balance_before: number;
  readonly balance: number;
  /** Credits that are billed: under a plan what the balance was below zero, else 0. */
  readonly overage: number;
  /** A debt that is not billed and goes on into the next month, as a positive number. */
  readonly carried: number;
  /** Grants with something left as the month ended; absent in events of older versions. */
  readonly grants?: readonly (readonly [grant: number, left: number])[];
  /** The overdraft from now on, where a plan ends; absent: as before, also in older versions. */
  readonly overdraft?: number | null;
  /** From the account's first event to this one, which is included. */
  readonly totals: Totals;
  /** Versions of the month's events, this one not included. */
  readonly account_version: { readonly from: number; readonly to: number };
  /** Head of the account's chain (hex) after version `to`; stands in every stored event. */
  readonly account_head?: string;
}

interface Stored<Type extends string, Data> {
  readonly type: Type;
  readonly at: number;
  readonly data: Data;
}

export type AccountEvent = { [Name in EventName]: Stored<Name, DataOf<Name>> }[EventName];

/** Thrown for an event that only a newer version of the program knows. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError';
  constructor(type: string) {
    super(`The log holds an event of type ${type}: a newer version writes here.`);
  }
}

/** Reads a stored event from its JSON text. Throws UnknownEventError, or Error for no object. */
export function accountEvent(type: string, at: number, data: string): AccountEvent {
  if (!isEventName(type)) throw new UnknownEventError(type);
  if (!data.startsWith('{')) throw new Error(`An event of type ${type} holds no object.`);
  return { type, at, data: JSON.parse(data) } as AccountEvent;
}
