import { formatInstant } from '#calendar/instant.js';
import { commanded, originOf, type EventsOf } from './event-type.js';
import type { Origin, PortalRole } from './terms.js';

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

/** Records that a link was made that opens the customers' portal. */
export interface OpenPortalSession {
  readonly command: 'open-portal-session';
  readonly origin: Origin;
  readonly sessionId: string;
  readonly role: PortalRole;
  readonly hash: string;
  /** Real time. */
  readonly linkExpiresAt: number;
}

/** Records that a session opens nothing any more; the caller knows that there was one. */
export interface RevokePortalSession {
  readonly command: 'revoke-portal-session';
  readonly origin: Origin;
  readonly sessionId: string;
}

export function openPortalSession(command: OpenPortalSession, at: number): PortalSessionEvent {
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
): PortalSessionEvent {
  return { type: 'PortalSessionRevoked', at, data: { ...origin, session_id: sessionId } };
}

/** Links to the customers' portal. */
export const PORTAL_SESSION_EVENTS = {
  PortalSessionOpened: commanded<PortalSessionOpened>({
    opensMonth: false,
    effect: () => ({}),
    command: (data): OpenPortalSession => ({
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
    command: (data): RevokePortalSession => ({
      command: 'revoke-portal-session',
      origin: originOf(data),
      sessionId: data.session_id,
    }),
    story: { title: 'Portal session ended', tone: 'warn' },
  }),
};

export type PortalSessionEvent = EventsOf<typeof PORTAL_SESSION_EVENTS>;
