import { commanded, originOf, type EventsOf } from './event-type.js';
import type { Origin, PortalRole } from './terms.js';

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

/** Records that a person may sign in to the portal; the caller knows the e-mail address. */
export interface AddMember {
  readonly command: 'add-member';
  readonly origin: Origin;
  readonly memberId: string;
  readonly role: PortalRole;
}

/** Records that a person may not sign in any more; the caller knows that it could. */
export interface RemoveMember {
  readonly command: 'remove-member';
  readonly origin: Origin;
  readonly memberId: string;
}

export function addMember({ origin, memberId, role }: AddMember, at: number): MemberEvent {
  return { type: 'MemberAdded', at, data: { ...origin, member_id: memberId, role } };
}

export function removeMember({ origin, memberId }: RemoveMember, at: number): MemberEvent {
  return { type: 'MemberRemoved', at, data: { ...origin, member_id: memberId } };
}

/** People who may sign in to an account's portal. */
export const MEMBER_EVENTS = {
  MemberAdded: commanded<MemberAdded>({
    opensMonth: false,
    effect: () => ({}),
    command: (data): AddMember => ({
      command: 'add-member',
      origin: originOf(data),
      memberId: data.member_id,
      role: data.role,
    }),
    story: { title: 'Member added', details: ({ role }, { text }) => `as a ${text(role)}` },
  }),
  MemberRemoved: commanded<MemberRemoved>({
    opensMonth: false,
    effect: () => ({}),
    command: (data): RemoveMember => ({
      command: 'remove-member',
      origin: originOf(data),
      memberId: data.member_id,
    }),
    story: { title: 'Member removed', tone: 'warn' },
  }),
};

export type MemberEvent = EventsOf<typeof MEMBER_EVENTS>;
