import { commanded, originOf } from './event-type.js';
import type { MemberAdded, MemberRemoved } from './member-events.js';

/** People who may sign in to an account's portal. */
export const MEMBER_EVENTS = {
  MemberAdded: commanded<MemberAdded>({
    opensMonth: false,
    effect: () => ({}),
    command: (data) => ({
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
    command: (data) => ({
      command: 'remove-member',
      origin: originOf(data),
      memberId: data.member_id,
    }),
    story: { title: 'Member removed', tone: 'warn' },
  }),
};
