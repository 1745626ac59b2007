import { formatInstant } from '#calendar/instant.js';
import type { OpenPortalSession, RevokePortalSession } from './commands.js';
import type { AccountEvent } from './events.js';

export function openPortalSession(command: OpenPortalSession, at: number): AccountEvent {
  const { origin, sessionId, role, hash, linkExpiresAt } = command;
  return {
    type: 'PortalSessionOpened',
    at,
    data: {
      ...origin,
      session_id: sessionId,
      role,
      hash,
      link_expires_at: formatInstant(linkExpiresAt),
    },
  };
}

export function revokePortalSession(
  { origin, sessionId }: RevokePortalSession,
  at: number,
): AccountEvent {
  return { type: 'PortalSessionRevoked', at, data: { ...origin, session_id: sessionId } };
}
