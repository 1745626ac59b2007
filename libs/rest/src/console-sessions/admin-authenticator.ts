import { timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyRequest } from 'fastify';
import { apiKeyPrefix } from '#account/api-key.js';
import { formatInstant } from '#calendar/instant.js';
import type { Problem } from '#web/problem.js';
import { invalidKey, SEVERAL_AUTHORIZATIONS, unauthenticated } from '#web/refusal-problem.js';
import { secretHash } from '../sign-in/secret-token.js';
import type { AdminTokens, FoundToken } from '../admin-tokens/admin-tokens.js';
import { ADMIN_TOKEN_PREFIX, isAdminToken } from '../admin-tokens/new-admin-token.js';
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

const operators = new WeakMap<FastifyRequest, AdmittedOperator>();

/** Remembers whom a request was admitted as. */
export function admit(request: FastifyRequest, whom: AdmittedOperator): void {
  operators.set(request, whom);
  admitOperator(request, whom.tokenId);
}

/** Whom a request was admitted as. */
export function admittedOf(request: FastifyRequest): AdmittedOperator {
  const found = operators.get(request);
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
   * `authorization`: the header as sent; a request with several of them is refused. `headers`: all,
   * for a hint at what was sent instead. Throws LogUnavailableError while named tokens cannot be
   * looked up.
   */
  async admit(
    authorization: readonly string[],
    headers: IncomingHttpHeaders = {},
  ): Promise<Admission> {
    const [header, ...others] = authorization;
    if (header === undefined || !/^Bearer(?: |$)/i.test(header)) {
      return { outcome: 'refused', problem: unauthenticated('token', headers) };
    }
    const [, token = ''] = BEARER.exec(header) ?? [];
    if (others.length > 0) return invalid(SEVERAL_AUTHORIZATIONS);
    const hash = secretHash(token);
    if (this.isOwner(hash)) return OWNER_ADMITTED;
    // A text that is no token costs no look into the log.
    if (!isAdminToken(token)) return invalid(whyNoToken(token));
    const found = await this.tokens.find(hash.toString('hex'));
    return found?.status === 'active' ? admitted(found) : invalid(whyOver(found));
  }

  /** The holder of the token with that SHA-256; undefined if it is unknown, revoked or expired. */
  async admitHash(hash: Buffer): Promise<AdmittedOperator | undefined> {
    if (this.isOwner(hash)) return OWNER_ADMITTED;
    const found = await this.tokens.find(hash.toString('hex'));
    return found?.status === 'active' ? admitted(found) : undefined;
  }

  private isOwner(hash: Buffer): boolean {
    return timingSafeEqual(hash, this.hash);
  }
}

const OWNER_ADMITTED: AdmittedOperator = { outcome: 'admitted', tokenId: OWNER, role: 'owner' };

function admitted({ id, role }: FoundToken): AdmittedOperator {
  return { outcome: 'admitted', tokenId: id, role };
}

function invalid(detail: string): Admission {
  return { outcome: 'refused', problem: invalidKey(detail) };
}

function whyNoToken(token: string): string {
  if (token === '') return 'No token stands behind the word Bearer.';
  if (apiKeyPrefix(token) !== undefined) {
    return 'That is an API key: it opens the API, and the admin REST takes an admin token.';
  }
  const right = `a named one begins with ${ADMIN_TOKEN_PREFIX} and ends with check digits`;
  return `That is no admin token: ${right}, another is the service's ADMIN_TOKEN.`;
}

/** Whoever comes with a token that is over has its secret. */
function whyOver(token: FoundToken | undefined): string {
  if (token === undefined) {
    return 'The admin token is unknown: compare it with the one that was issued, and the address.';
  }
  const { revokedAt, expiresAt } = token;
  const how = revokedAt === null ? 'expired' : 'was revoked';
  const at = formatInstant(revokedAt ?? expiresAt ?? token.issuedAt);
  return `The admin token ${how} at ${at}: ask for another one.`;
}
