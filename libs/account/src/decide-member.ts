import type { AddMember, RemoveMember } from './commands.js';
import type { AccountEvent } from './events.js';

export function addMember({ origin, memberId, role }: AddMember, at: number): AccountEvent {
  return { type: 'MemberAdded', at, data: { ...origin, member_id: memberId, role } };
}

export function removeMember({ origin, memberId }: RemoveMember, at: number): AccountEvent {
  return { type: 'MemberRemoved', at, data: { ...origin, member_id: memberId } };
}
