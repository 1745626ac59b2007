import type { Origin, ProfileReference } from '#account/terms.js';
import type { Role } from '../operation/role.js';

// These names are the stored format of lane 0: types and members may be added, never renamed.

export const ADMIN_TOKEN_ISSUED = 'AdminTokenIssued';
export const ADMIN_TOKEN_REVOKED = 'AdminTokenRevoked';

export interface AdminTokenIssued extends Origin {
  readonly token_id: string;
  readonly role: Role;
  /** SHA-256 of the token, hex. The token itself is nowhere. */
  readonly hash: string;
  readonly last_four: string;
  readonly expires_at: string | null;
  /** The row with its name. */
  readonly profile: ProfileReference;
}

export interface AdminTokenRevoked extends Origin {
  readonly token_id: string;
}
