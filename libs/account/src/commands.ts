import type { ChargeRequest } from './charging.js';
import type { GrantKind, Origin, ProfileReference } from './events.js';
import type { Scope } from './key-directory.js';

// Commands of one account. Times are ms since 1970, credits integers, money integer minor units.

export interface OpenAccount {
  readonly command: 'open-account';
  readonly origin: Origin;
  readonly profile: ProfileReference;
  readonly currency: string;
  readonly overdraft: number | null;
  readonly test: boolean;
  readonly testClock: number | null;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | null;
  readonly lowBalance: number | null;
  readonly rateCard: number | null;
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
}

export interface RevokeApiKey {
  readonly command: 'revoke-api-key';
  readonly origin: Origin;
  readonly keyId: string;
}

export interface GrantCredits {
  readonly command: 'grant-credits';
  readonly origin: Origin;
  readonly grantId: string;
  readonly credits: number;
  readonly kind: GrantKind;
  readonly price: number | null;
  readonly expiresAt: number | null;
  readonly priority: number;
  readonly profile: ProfileReference | null;
}

export interface AdjustCredits {
  readonly command: 'adjust-credits';
  readonly origin: Origin & { readonly reason: string };
  /** Positive gives, negative takes. */
  readonly credits: number;
  /** The call that is given back, with what it was charged. */
  readonly call: { readonly callId: string; readonly charged: number } | null;
  /** Id under which credits given are kept. */
  readonly grantId: string;
}

export interface MoveTestClock {
  readonly command: 'move-test-clock';
  readonly origin: Origin;
  readonly now: number;
}

/** Records what has fallen due, and nothing else. */
export interface Tick {
  readonly command: 'tick';
}

export interface MakeCall {
  readonly command: 'make-call';
  readonly request: ChargeRequest;
}

export type Command =
  | OpenAccount
  | SuspendAccount
  | IssueApiKey
  | RevokeApiKey
  | GrantCredits
  | AdjustCredits
  | MoveTestClock
  | Tick
  | MakeCall;
