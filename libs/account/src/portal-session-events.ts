import type { Origin } from './events.js';

// These names are the stored format: types and members may be added, never renamed or removed.

/** Role of a session of the customers' portal: a viewer reads, a manager also changes. */
export type PortalRole = 'viewer' | 'manager';

/** A link that opens the portal once. Its moment is the account's, its end is real time. */
export interface PortalSessionOpened extends Origin {
  readonly session_id: string;
  readonly role: PortalRole;
  /** SHA-256 of the link's token, hex. The token itself is nowhere. */
  readonly hash: string;
  /** When the link stops working, used or not. */
  readonly link_expires_at: string;
}

/** The link, and what it has opened, opens nothing any more. */
export interface PortalSessionRevoked extends Origin {
  readonly session_id: string;
}
