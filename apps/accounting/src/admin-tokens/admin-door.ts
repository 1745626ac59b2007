import { createHash, timingSafeEqual } from 'node:crypto';
import type { Problem } from '#web/problem.js';
import { invalidKey, unauthenticated } from '#web/refusal-problem.js';
import type { AdminTokens } from './admin-tokens.js';
import { isAdminToken } from './new-admin-token.js';
import type { Role } from './role.js';

/** Id of the token that the service was started with: what events say of its holder. */
export const OWNER = 'owner';

const BEARER = /^Bearer +(\S+) *$/i;

export type Admission =
  | { readonly outcome: 'admitted'; readonly tokenId: string; readonly role: Role }
  | { readonly outcome: 'refused'; readonly problem: Problem };

/**
 * The door of the admin REST: knows tokens by their SHA-256 and tells nobody how close a guess was.
 * The token that the service was started with opens it always, whatever becomes of the others.
 */
export class AdminDoor {
  private readonly hash: Buffer;

  constructor(
    token: string,
    private readonly tokens: Pick<AdminTokens, 'find'>,
  ) {
    this.hash = sha256(token);
  }

  /**
   * `authorization`: the header as sent; a request with several of them is refused. Throws
   * LogUnavailableError while named tokens cannot be looked up.
   */
  async admit(authorization: readonly string[]): Promise<Admission> {
    const [header, ...others] = authorization;
    if (header === undefined || !/^Bearer(?: |$)/i.test(header)) {
      return { outcome: 'refused', problem: unauthenticated() };
    }
    const [, token = ''] = BEARER.exec(header) ?? [];
    if (others.length > 0) return INVALID;
    if (timingSafeEqual(sha256(token), this.hash)) {
      return { outcome: 'admitted', tokenId: OWNER, role: 'owner' };
    }
    // A text that is no token costs no look into the log.
    const found = isAdminToken(token) ? await this.tokens.find(token) : undefined;
    if (found === undefined) return INVALID;
    return { outcome: 'admitted', tokenId: found.id, role: found.role };
  }
}

const INVALID: Admission = {
  outcome: 'refused',
  problem: invalidKey('The admin token is unknown, revoked or expired.'),
};

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
