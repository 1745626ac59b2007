import type { NamedResource } from '#rating/named-resource.js';
import type { CallMade } from './calls.js';
import type { Refusal } from './refusal.js';
import type { Units } from './terms.js';

/** One metered call, complete: what is decided about it needs nothing else of the API. */
export interface ChargeRequest {
  /** UUIDv8 of account and idempotency key, else a UUIDv7: the call's name for ever. */
  readonly callId: string;
  readonly accountId: string;
  /** Ordinal of the API key in its account. */
  readonly apiKey: number;
  /** The one name of the resource: the path with the window's label, UUID in lower case. */
  readonly key: string;
  /** The path as the client sent it. */
  readonly asked: string;
  readonly resource: NamedResource;
  /** Rows or points of the answer, at least 1; of units the one of that name, else 0. */
  readonly rows: number;
  /** Counts that the price is worked out from; absent: the rows. */
  readonly units?: Units | undefined;
  /** Label of the window that was running for this account when the API looked. */
  readonly window: string;
  /** Label of the release that the answer was made from. */
  readonly release: string;
  /** The client's ceiling in credits, or null. */
  readonly maxCredits: number | null;
  readonly tags: Readonly<Record<string, string>> | null;
  /** True when the call may have been decided before: an idempotency key, or a further attempt. */
  readonly isRetry: boolean;
  /** Id of the HTTP request, where others may ask for the same call (an idempotency key). */
  readonly requestId?: string | undefined;
  /** Whether the answer is to name the place in the account's chain; absent: it is not. */
  readonly wantsPlace?: boolean | undefined;
  /** Moment (ms since 1970) after which the call must not be charged any more. */
  readonly notAfter: number;
}

/** Where the event of a call stands in its account's chain. */
export interface ChainPlace {
  /** The account's version. */
  readonly version: number;
  /** The account's head after the event, 64 hex digits. */
  readonly head: string;
}

export interface ChargedCall {
  readonly callId: string;
  /** Moment of the decision, ms since 1970 on the account's clock. */
  readonly at: number;
  readonly call: CallMade;
  /** Balance after the charge; null for accounts without a limit. */
  readonly balance: number | null;
  /** Absent where nobody asked for it, and where an earlier decision is returned. */
  readonly place?: ChainPlace | undefined;
}

export type ChargeOutcome =
  | { readonly outcome: 'charged'; readonly charged: ChargedCall; readonly replayed: boolean }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

export type QuoteItem = Pick<
  ChargeRequest,
  'key' | 'resource' | 'rows' | 'units' | 'release' | 'window'
>;

export interface QuoteRequest {
  readonly accountId: string;
  /** Ordinal of the API key; null: priced for the account, whatever its keys. */
  readonly apiKey: number | null;
  /** Priced as if called in this order. */
  readonly items: readonly QuoteItem[];
  /** A call under an idempotency key: if it was made already, it has no price any more. */
  readonly named?: Pick<ChargeRequest, 'callId' | 'asked'>;
}

export interface QuotedCall {
  readonly kind: CallMade['kind'];
  /** Credits: call cost, data cost. */
  readonly cost: readonly [number, number];
  readonly card: number;
  readonly rule: string;
  /** Credits of the same call if all quoted calls were made in that order in the next window. */
  readonly nextWindowCredits: number;
  /** The refusal of the same call if all before it had been made, or null. */
  readonly refusal: Refusal | null;
}

export type QuoteOutcome =
  | {
      readonly outcome: 'quoted';
      readonly items: readonly QuotedCall[];
      /** Balance before any of them; null for accounts without a limit. */
      readonly balance: number | null;
      /** Credits that are missing for all of them; absent in answers of older versions. */
      readonly shortfall?: number;
      /** The call of the name: a call would return it, and there are no items. */
      readonly first?: ChargedCall;
    }
  | { readonly outcome: 'refused'; readonly refusal: Refusal };

/**
 * The port through which calls are charged. Expected refusals are values; errors are outages.
 * A decision that is answered is durable.
 */
export interface Charging {
  /** Throws AccountingUnavailableError (surely not charged) or OutcomeUnknownError. */
  charge(request: ChargeRequest): Promise<ChargeOutcome>;
  /** Prices without charging or logging. Throws AccountingUnavailableError. */
  quote(request: QuoteRequest): Promise<QuoteOutcome>;
}

/** The call was not charged and will not be. */
export class AccountingUnavailableError extends Error {
  override readonly name = 'AccountingUnavailableError';
  constructor(
    message: string,
    readonly retryAfterSeconds = 1,
  ) {
    super(message);
  }
}

/** Nothing can be decided or shown of this account until its events are repaired. */
export class AccountDamagedError extends AccountingUnavailableError {
  constructor(
    readonly accountId: string,
    readonly reason: string,
  ) {
    super(`Account ${accountId} is damaged: ${reason}`, 60);
  }
}

/** Nobody knows yet whether the call is charged; the service settles it by its id. */
export class OutcomeUnknownError extends Error {
  override readonly name = 'OutcomeUnknownError';
  constructor(readonly callId: string) {
    super(`The outcome of call ${callId} is not known yet.`);
  }
}
