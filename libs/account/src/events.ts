import type { Scope } from './key-directory.js';

// These names are the stored format: types and members may be added, never renamed or removed.
// Credits are integers; times inside `data` are RFC 3339 in UTC; `at` is ms since 1970.

export type CallKind = 'base' | 'repeat';
export type GrantKind = 'purchased' | 'promotional';

/** Credits taken from one grant: the grant's ordinal in the account, the credits. */
export type Draw = readonly [grant: number, credits: number];

/** A row of the second truth (names, notes, free texts), named by id and SHA-256 in hex. */
export interface ProfileReference {
  readonly id: string;
  readonly sha256: string;
}

/** Who made a change, why, by which request; `input` is a digest of what was asked. */
export interface Origin {
  readonly by: string;
  readonly request: string;
  readonly input: string;
  readonly reason?: string;
}

export interface AccountOpened extends Origin {
  readonly profile: ProfileReference;
  readonly currency: string;
  /** Null: no limit. */
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly test_clock: string | null;
  readonly rate_limit: { readonly per_second: number; readonly burst: number } | null;
  readonly low_balance: number | null;
  readonly rate_card: number | null;
}

export interface ApiKeyIssued extends Origin {
  /** Ordinal in the account: 1, 2, 3, … */
  readonly api_key: number;
  readonly key_id: string;
  /** SHA-256 of the key, hex. The key itself is nowhere. */
  readonly hash: string;
  readonly prefix: string;
  readonly last_four: string;
  readonly scopes: readonly Scope[];
  readonly expires_at: string | null;
  readonly profile: ProfileReference;
}

export interface ApiKeyRevoked extends Origin {
  readonly api_key: number;
  readonly key_id: string;
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
  /** What of it went into a debt at once. */
  readonly repaid: number;
  readonly balance: number;
}

/** What was left of a grant at its expiry. */
export interface GrantExpired {
  readonly grant: number;
  readonly grant_id: string;
  readonly credits: number;
  readonly balance: number;
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
  readonly asked?: string;
  /** Label of the running window; absent when it is the label in the key (`windowOfCall`). */
  readonly window?: string;
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
  readonly tags?: Readonly<Record<string, string>>;
}

interface Stored<Type extends string, Data> {
  readonly type: Type;
  readonly at: number;
  readonly data: Data;
}

export type AccountEvent =
  | Stored<'AccountOpened', AccountOpened>
  | Stored<'AccountSuspended', Origin>
  | Stored<'AccountResumed', Origin>
  | Stored<'ApiKeyIssued', ApiKeyIssued>
  | Stored<'ApiKeyRevoked', ApiKeyRevoked>
  | Stored<'CreditsGranted', CreditsGranted>
  | Stored<'GrantExpired', GrantExpired>
  | Stored<'Adjusted', Adjusted>
  | Stored<'TestClockMoved', TestClockMoved>
  | Stored<'CallMade', CallMade>;

const TYPES: Record<AccountEvent['type'], true> = {
  AccountOpened: true,
  AccountSuspended: true,
  AccountResumed: true,
  ApiKeyIssued: true,
  ApiKeyRevoked: true,
  CreditsGranted: true,
  GrantExpired: true,
  Adjusted: true,
  TestClockMoved: true,
  CallMade: true,
};

/** Thrown for an event that only a newer version of the program knows. */
export class UnknownEventError extends Error {
  override readonly name = 'UnknownEventError';
  constructor(type: string) {
    super(`The log holds an event of type ${type}: a newer version writes here.`);
  }
}

/** Reads a stored event: `data` is its JSON text. Throws UnknownEventError. */
export function accountEvent(type: string, at: number, data: string): AccountEvent {
  if (!Object.hasOwn(TYPES, type)) throw new UnknownEventError(type);
  return { type, at, data: JSON.parse(data) } as AccountEvent;
}
