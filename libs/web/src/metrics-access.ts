import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLocal } from './local-request.js';
import { NOTHING_HERE, type Problem } from './problem.js';
import { invalidKey, unauthenticated } from './refusal-problem.js';

const BEARER = /^Bearer +(\S+) *$/i;

const admitted = new WeakSet<IncomingMessage>();

/** Lets a request read metrics whatever else it brings: that of an operator who is signed in. */
export function admitToMetrics(request: IncomingMessage): void {
  admitted.add(request);
}

/**
 * Why a request may not read metrics, or null. With a token (METRICS_TOKEN) whoever brings it may,
 * from anywhere; without one this machine alone may, and nobody else learns that there are any.
 */
export function refuseMetrics(request: IncomingMessage, token: string | null): Problem | null {
  if (admitted.has(request)) return null;
  if (token === null) {
    return isLocal(request) ? null : NOTHING_HERE;
  }
  const sent = request.headers.authorization;
  if (sent === undefined) return unauthenticated();
  const given = BEARER.exec(sent)?.[1] ?? '';
  if (timingSafeEqual(hashOf(given), hashOf(token))) return null;
  return invalidKey('The token is not METRICS_TOKEN.');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
