import type { ProfileReference } from '#account/events.js';
import type { AccountState } from '#account/state.js';
import { profileReference, type Profile, type Profiles } from '#ledger/texts/profiles.js';

/**
 * Keeps the names and texts of changes of an account. Of a closed one nothing new is kept: it may
 * have been erased, and what is changed is refused, unless it is a retry whose row is there.
 */
export function keeping(
  profiles: Profiles,
  accountId: string,
  { closedAt }: AccountState,
): (id: string, profile: Profile) => Promise<ProfileReference> {
  return async (id, profile) =>
    closedAt === null ? profiles.save(id, accountId, profile) : profileReference(id, profile);
}
