import { createHash } from 'node:crypto';
import type { Origin } from '#account/terms.js';
import { canonicalJson } from './canonical-json.js';

/** Members of every change by an operator. */
export interface Change {
  /** Id of the token that it was asked with. */
  readonly by: string;
  readonly requestId: string;
  readonly idempotencyKey: string | null;
  /** Validators of what it changes, at one of which alone it is made; absent: at any. */
  readonly ifMatch?: readonly string[];
  /** Digest of what was asked: a retry asks for the same. */
  readonly input: string;
  /** Why, where the request says so. */
  readonly reason?: string | undefined;
}

const DIGEST_LENGTH = 32;

/**
 * Hex digest of a request, the same for the same JSON value whatever the order of its members.
 * `key` is its idempotency key, or what sets it apart from all others.
 */
export function inputDigest(method: string, path: string, key: string, body: unknown): string {
  const hash = createHash('sha256');
  for (const part of [method, path.toLowerCase(), key, canonicalJson(body)]) {
    hash.update(`${Buffer.byteLength(part)}:${part}`);
  }
  return hash.digest('hex').slice(0, DIGEST_LENGTH);
}

/** Actor, request and reason of a change, as its event records them. */
export function originOf({ by, requestId, input, reason }: Change): Origin {
  return { by, request: requestId, input, ...(reason !== undefined && { reason }) };
}
