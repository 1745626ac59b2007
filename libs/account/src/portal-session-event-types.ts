import { commanded, originOf } from './event-type.js';
import type { PortalSessionOpened, PortalSessionRevoked } from './portal-session-events.js';

/** Links to the customers' portal. */
export const PORTAL_SESSION_EVENTS = {
  PortalSessionOpened: commanded<PortalSessionOpened>({
    opensMonth: false,
    effect: () => ({}),
    command: (data) => ({
      command: 'open-portal-session',
      origin: originOf(data),
      sessionId: data.session_id,
      role: data.role,
      hash: data.hash,
      linkExpiresAt: Date.parse(data.link_expires_at),
    }),
    story: { title: 'Portal link made', details: ({ role }, { text }) => `for a ${text(role)}` },
  }),
  PortalSessionRevoked: commanded<PortalSessionRevoked>({
    opensMonth: false,
    effect: () => ({}),
    command: (data) => ({
      command: 'revoke-portal-session',
      origin: originOf(data),
      sessionId: data.session_id,
    }),
    story: { title: 'Portal session ended', tone: 'warn' },
  }),
};
