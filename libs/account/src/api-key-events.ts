import type { Origin, ProfileReference } from './events.js';
import type { Scope } from './key-directory.js';

// These names are the stored format: types and members may be added, never renamed or removed.

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

/** A key that had no end, or a later one, ends at that moment. */
export interface ApiKeyEndSet extends Origin {
  readonly api_key: number;
  readonly key_id: string;
  readonly expires_at: string;
}
