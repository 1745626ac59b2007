import { timingSafeEqual, createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Configuration } from './configuration.js';
import { localUrl } from './configuration-urls.js';
import { hostnameOf, isLocal } from './local-request.js';
import { NOTHING_HERE, type Problem } from './problem.js';
import { invalidKey, unauthenticated } from './refusal-problem.js';

const BEARER = /^Bearer +(\S+) *$/i;

const admitted = new WeakSet<IncomingMessage>();

/** Lets a request read metrics whatever else it brings: that of an operator who is signed in. */
export function admitToMetrics(request: IncomingMessage): void {
  admitted.add(request);
}

export interface MetricsAccess {
  /** METRICS_TOKEN; null: metrics are for this machine alone. */
  readonly token: string | null;
  /** Names and addresses by which this machine may ask itself, beside those of loopback. */
  readonly hosts: ReadonlySet<string>;
}

export const LOOPBACK_ONLY: MetricsAccess = { token: null, hosts: new Set() };

/** Access as a process is configured. */
export function metricsAccessOf({
  metricsToken: token,
  host,
  baseUrl,
  portalUrl,
  adminUrl,
}: Configuration): MetricsAccess {
  const urls = [localUrl(host, 0), baseUrl, portalUrl, ...(adminUrl === null ? [] : [adminUrl])];
  return { token, hosts: new Set(urls.map(hostnameOf)) };
}

/**
 * Why a request may not read metrics, or null. With a token (METRICS_TOKEN) whoever brings it may,
 * from anywhere; without one this machine alone may, and nobody else learns that there are any.
 */
export function refuseMetrics(
  request: IncomingMessage,
  { token, hosts }: MetricsAccess,
): Problem | null {
  if (admitted.has(request)) return null;
  if (token === null) {
    return isLocal(request, hosts) ? null : NOTHING_HERE;
  }
  const sent = request.headers.authorization;
  if (sent === undefined) return unauthenticated('token', request.headers);
  const given = BEARER.exec(sent)?.[1] ?? '';
  if (timingSafeEqual(hashOf(given), hashOf(token))) return null;
  return invalidKey('The token is not the METRICS_TOKEN that this process was started with.');
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
