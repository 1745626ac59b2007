export type Scope = 'data' | 'account:read';

/** Facts about a caller that the API needs before it asks for a charge. Times: ms since 1970. */
export interface KeyRecord {
  readonly accountId: string;
  /** Ordinal of the API key in its account. */
  readonly apiKey: number;
  /** Empty for a key that is revoked. */
  readonly keyId: string;
  readonly scopes: readonly Scope[];
  readonly expiresAt: number | null;
  /** Or expired so long ago that the account has forgotten it. */
  readonly revoked: boolean;
  readonly suspended: boolean;
  /** Whether it is a test account: the first release serves it in the windows before that too. */
  readonly test: boolean;
  /** The account's own frozen time, or null for accounts that live in real time. */
  readonly testClock: number | null;
  readonly rateLimit: { readonly perSecond: number; readonly burst: number } | null;
}

/** The port that finds the account behind an API key. */
export interface KeyDirectory {
  /** `hash`: SHA-256 of the API key, 64 hex digits. Revoked keys are found too. */
  find(hash: string): Promise<KeyRecord | undefined>;
}
