import { formatInstant, formatMoment } from '#calendar/instant.js';
import { statusOf, type IssuedToken, type TokenStatus } from './issued-token.js';
import { ADMIN_TOKEN_PREFIX } from './new-admin-token.js';
import type { Role } from '#rest/operation/role.js';

export interface AdminTokenView {
  readonly id: string;
  /** Null once it was erased. */
  readonly name: string | null;
  readonly role: Role;
  readonly prefix: string;
  readonly last_four: string;
  readonly status: TokenStatus;
  readonly issued_by: string;
  readonly issued_at: string;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
}

export interface NewAdminTokenView extends AdminTokenView {
  /** The secret itself: only in the answer of the request that made it. */
  readonly token?: string;
}

/** A token as lists show it; `now` and `usedAt` in ms since 1970. */
export function adminTokenView(
  token: IssuedToken,
  name: string | null,
  now: number,
  usedAt: number | null,
): AdminTokenView {
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
