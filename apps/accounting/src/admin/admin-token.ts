import { createHash, timingSafeEqual } from 'node:crypto';
import type { Problem } from '#web/problem.js';
import { invalidKey, unauthenticated } from '#web/refusal-problem.js';

/** Id of the token that the service was started with: what events say of its holder. */
export const OWNER = 'owner';

const BEARER = /^Bearer +(\S+) *$/i;

export type Admission =
  | { readonly outcome: 'admitted'; readonly tokenId: string }
  | { readonly outcome: 'refused'; readonly problem: Problem };

/** The door of the admin REST: knows the token's SHA-256 and tells nobody how close a guess was. */
export class AdminToken {
  private readonly hash: Buffer;

  constructor(token: string) {
    this.hash = sha256(token);
  }

  /** `authorization`: the header as sent; a request with several of them is refused. */
  admit(authorization: readonly string[]): Admission {
    const [header, ...others] = authorization;
    if (header === undefined || !/^Bearer(?: |$)/i.test(header)) {
      return { outcome: 'refused', problem: unauthenticated() };
    }
    const [, token = ''] = BEARER.exec(header) ?? [];
    if (others.length === 0 && timingSafeEqual(sha256(token), this.hash)) {
      return { outcome: 'admitted', tokenId: OWNER };
    }
    return { outcome: 'refused', problem: invalidKey('This is not the admin token.') };
  }
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
