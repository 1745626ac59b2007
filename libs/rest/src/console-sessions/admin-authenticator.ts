import { timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import type { Problem } from '#web/problem.js';
import { invalidKey, unauthenticated } from '#web/refusal-problem.js';
import { secretHash } from '../sign-in/secret-token.js';
import type { AdminTokens } from '../admin-tokens/admin-tokens.js';
import { isAdminToken } from '../admin-tokens/new-admin-token.js';
import { admitOperator, OWNER } from '../operation/operator.js';
import type { Role } from '../operation/role.js';

const BEARER = /^Bearer +(\S+) *$/i;

export interface AdmittedOperator {
  readonly outcome: 'admitted';
  readonly tokenId: string;
  readonly role: Role;
  /** A person whom the identity provider knows, and no token. */
  readonly isPerson?: boolean;
}

export type Admission =
  AdmittedOperator | { readonly outcome: 'refused'; readonly problem: Problem };

const admitted = new WeakMap<FastifyRequest, AdmittedOperator>();

/** Remembers whom a request was admitted as. */
export function admit(request: FastifyRequest, whom: AdmittedOperator): void {
  admitted.set(request, whom);
  admitOperator(request, whom.tokenId);
}

/** Whom a request was admitted as. */
export function admittedOf(request: FastifyRequest): AdmittedOperator {
  const found = admitted.get(request);
  if (found === undefined) throw new Error('This route admits requests without a token.');
  return found;
}

/**
 * The door of the admin REST: knows tokens by their SHA-256 and reveals to nobody how close a guess
 * was. The token that the service was started with opens it always, whatever becomes of the others.
 */
export class AdminAuthenticator {
  private readonly hash: Buffer;

  constructor(
    token: string,
    private readonly tokens: Pick<AdminTokens, 'find'>,
  ) {
    this.hash = secretHash(token);
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
    const hash = secretHash(token);
    // A text that is no token costs no look into the log.
    if (!isAdminToken(token) && !this.isOwner(hash)) return INVALID;
    return (await this.admitHash(hash)) ?? INVALID;
  }

  /** The holder of the token with that SHA-256; undefined if it is unknown, revoked or expired. */
  async admitHash(hash: Buffer): Promise<AdmittedOperator | undefined> {
    if (this.isOwner(hash)) return { outcome: 'admitted', tokenId: OWNER, role: 'owner' };
    const found = await this.tokens.find(hash.toString('hex'));
    return found && { outcome: 'admitted', tokenId: found.id, role: found.role };
  }

  private isOwner(hash: Buffer): boolean {
    return timingSafeEqual(hash, this.hash);
  }
}

const INVALID: Admission = {
  outcome: 'refused',
  problem: invalidKey('The admin token is unknown, revoked or expired.'),
};
