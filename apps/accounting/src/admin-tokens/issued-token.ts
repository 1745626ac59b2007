import { parseInstant } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import {
  ADMIN_TOKEN_ISSUED,
  ADMIN_TOKEN_REVOKED,
  type AdminTokenIssued,
  type AdminTokenRevoked,
} from './admin-token-events.js';
import type { Role } from './role.js';

/** An admin token as the system's stream tells it. Moments in ms since 1970. */
export interface IssuedToken {
  readonly id: string;
  readonly role: Role;
  /** SHA-256 of the token, hex. */
  readonly hash: string;
  readonly lastFour: string;
  /** Id of the row with its name. */
  readonly profile: string;
  /** Id of the token that it was issued with. */
  readonly issuedBy: string;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** Every token there ever was, by id, in the order in which they were issued. */
export type IssuedTokens = ReadonlyMap<string, IssuedToken>;

export function issuedTokens(events: readonly StoredEvent[]): IssuedTokens {
  const tokens = new Map<string, IssuedToken>();
  for (const { type, at, data } of events) {
    if (type === ADMIN_TOKEN_ISSUED) {
      const token = issued(JSON.parse(data) as AdminTokenIssued, at);
      tokens.set(token.id, token);
    } else if (type === ADMIN_TOKEN_REVOKED) {
      const { token_id: id } = JSON.parse(data) as AdminTokenRevoked;
      const token = tokens.get(id);
      if (token === undefined) throw new Error(`The system's stream issued no admin token ${id}.`);
      tokens.set(id, { ...token, revokedAt: at });
    }
  }
  return tokens;
}

export type TokenStatus = 'active' | 'revoked' | 'expired';

/** `now`: ms since 1970. */
export function statusOf({ revokedAt, expiresAt }: IssuedToken, now: number): TokenStatus {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= now ? 'expired' : 'active';
}

function issued(data: AdminTokenIssued, at: number): IssuedToken {
  return {
    id: data.token_id,
    role: data.role,
    hash: data.hash,
    lastFour: data.last_four,
    profile: data.profile.id,
    issuedBy: data.by,
    issuedAt: at,
    expiresAt: data.expires_at === null ? null : momentOf(data.expires_at),
    revokedAt: null,
  };
}

function momentOf(text: string): number {
  const moment = parseInstant(text);
  if (moment === undefined) throw new Error(`${text} is no moment.`);
  return moment;
}
