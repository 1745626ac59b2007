import type { Origin } from './events.js';
import type { PortalRole } from './portal-session-events.js';

// These names are the stored format: types and members may be added, never renamed or removed.

/** A person may sign in to the account's portal, or may do so in another role from now on. */
export interface MemberAdded extends Origin {
  /** Names the row with the e-mail address, which no event holds. */
  readonly member_id: string;
  readonly role: PortalRole;
}

/** The person may not sign in any more, and its sessions are over. */
export interface MemberRemoved extends Origin {
  readonly member_id: string;
}
