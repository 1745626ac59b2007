import { parseInstant } from '#calendar/instant.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { Fold } from '#event-log/fold.js';
import {
  ADMIN_TOKEN_ISSUED,
  ADMIN_TOKEN_REVOKED,
  type AdminTokenIssued,
  type AdminTokenRevoked,
} from './admin-token-events.js';
import type { Role } from '../operation/role.js';

/** An admin token as the system's stream records it. Moments in ms since 1970. */
export interface IssuedToken {
  readonly id: string;
  readonly role: Role;
  readonly lastFour: string;
  /** Id of the row with its name. */
  readonly profile: string;
  /** Id of the token that it was issued with. */
  readonly issuedBy: string;
  readonly issuedAt: number;
  readonly expiresAt: number | null;
  readonly revokedAt: number | null;
}

/** The admin tokens, as the system's stream has them. */
export class IssuedTokens {
  private readonly byId = new Map<string, IssuedToken>();
  /** Ids by SHA-256 (hex). */
  private readonly byHash = new Map<string, string>();

  get(id: string): IssuedToken | undefined {
    return this.byId.get(id);
  }

  /** Every token there ever was, in the order in which they were issued. */
  all(): Iterable<IssuedToken> {
    return this.byId.values();
  }

  /** The token of a SHA-256 (hex), also once it is over. */
  find(hash: string): IssuedToken | undefined {
    return this.byId.get(this.byHash.get(hash) ?? '');
  }

  /** How many are neither revoked nor expired. */
  countActive(now: number): number {
    return [...this.byId.values()].filter((token) => statusOf(token, now) === 'active').length;
  }

  takeIn({ type, at, data }: StoredEvent): this {
    if (type === ADMIN_TOKEN_ISSUED) this.issue(JSON.parse(data) as AdminTokenIssued, at);
    else if (type === ADMIN_TOKEN_REVOKED) this.revoke(JSON.parse(data) as AdminTokenRevoked, at);
    return this;
  }

  private issue(data: AdminTokenIssued, at: number): void {
    const token = issued(data, at);
    this.byId.set(token.id, token);
    this.byHash.set(data.hash, token.id);
  }

  private revoke({ token_id: id }: AdminTokenRevoked, at: number): void {
    const token = this.byId.get(id);
    if (token === undefined) throw new Error(`The system's stream issued no admin token ${id}.`);
    this.byId.set(id, { ...token, revokedAt: at });
  }
}

export const ADMIN_TOKENS: Fold<IssuedTokens> = {
  initial: () => new IssuedTokens(),
  evolve: (tokens, event) => tokens.takeIn(event),
};

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
