import { formatInstant, formatMoment } from '#calendar/instant.js';
import type { AdminToken } from './admin-token.schemas.js';
import { statusOf, type IssuedToken } from './issued-token.js';
import { ADMIN_TOKEN_PREFIX } from './new-admin-token.js';

/** A token as lists show it; `now` and `usedAt` in ms since 1970. */
export function adminTokenView(
  token: IssuedToken,
  name: string | null,
  now: number,
  usedAt: number | null,
): AdminToken {
  const { id, role, lastFour, issuedBy, issuedAt, expiresAt, revokedAt } = token;
  return {
    id,
    name,
    role,
    prefix: ADMIN_TOKEN_PREFIX,
    last_four: lastFour,
    status: statusOf(token, now),
    issued_by: issuedBy,
    issued_at: formatMoment(issuedAt),
    expires_at: expiresAt === null ? null : formatInstant(expiresAt),
    revoked_at: revokedAt === null ? null : formatMoment(revokedAt),
    last_used_at: usedAt === null ? null : formatMoment(usedAt),
  };
}
