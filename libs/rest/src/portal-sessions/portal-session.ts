import type { PortalRole } from '#account/terms.js';
import { formatInstant, formatMoment } from '#calendar/instant.js';
import { IDLE_MS } from '../sign-in/session-uses.js';
import type { OwnSession, PortalSession } from './portal-session.schemas.js';

/** Who has come in, and what for. */
export interface Session {
  readonly id: string;
  readonly accountId: string;
  readonly role: PortalRole;
  /** The member who has signed in; null: somebody has opened a link. */
  readonly memberId: string | null;
  readonly memberEmail: string | null;
  /** Whether the session opens no other account of the member. */
  readonly isConfined: boolean;
  /** Ms since 1970, real time. */
  readonly expiresAt: number;
}

/** A link and the session that it has opened, as they are kept. Moments in ms since 1970. */
export interface KeptSession {
  readonly id: string;
  readonly role: PortalRole;
  readonly opened_by: string;
  /** E-mail address of the member who has signed in; null: a link has. */
  readonly member: string | null;
  readonly opened_at: number;
  readonly link_expires_at: number;
  readonly redeemed_at: number | null;
  /** The last request that was noted; null: none since the sign-in. */
  readonly used_at: number | null;
  readonly expires_at: number | null;
  readonly revoked_at: number | null;
}

/** `now`: ms since 1970, real time. */
export function portalSessionView(kept: KeptSession, now: number): PortalSession {
  return {
    id: kept.id,
    role: kept.role,
    status: statusOf(kept, now),
    opened_by: kept.opened_by,
    member: kept.member,
    opened_at: formatMoment(kept.opened_at),
    link_expires_at: formatInstant(kept.link_expires_at),
    redeemed_at: momentOf(kept.redeemed_at),
    used_at: momentOf(usedAt(kept)),
    expires_at: momentOf(endOf(kept, now)),
    revoked_at: momentOf(kept.revoked_at),
  };
}

/** A link or a session as its own account sees it. `currentId`: the session that asks. */
export function ownSessionView(
  { opened_by: _operator, ...view }: PortalSession,
  currentId: string,
): OwnSession {
  return { ...view, current: view.id === currentId };
}

function statusOf(kept: KeptSession, now: number): PortalSession['status'] {
  if (kept.revoked_at !== null) return 'revoked';
  if ((endOf(kept, now) ?? kept.link_expires_at) <= now) return 'expired';
  return kept.redeemed_at === null ? 'unused' : 'active';
}

function endOf(kept: KeptSession, now: number): number | null {
  const { expires_at: expires } = kept;
  const used = usedAt(kept);
  if (expires === null || used === null || used + IDLE_MS > now) return expires;
  return Math.min(expires, used + IDLE_MS);
}

function usedAt({ redeemed_at: redeemed, used_at: used }: KeptSession): number | null {
  return used === null || redeemed === null ? redeemed : Math.max(redeemed, used);
}

function momentOf(at: number | null): string | null {
  return at === null ? null : formatMoment(at);
}
