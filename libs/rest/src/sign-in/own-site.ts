import type { FastifyRequest } from 'fastify';
import { problem, ProblemException } from '#web/problem.js';

const READING: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/** Whether a request may change something, by its method. */
export function mayChange({ method }: FastifyRequest): boolean {
  return !READING.has(method);
}

/**
 * Refuses what a page of another site may have sent with the cookie of this one: a change needs the
 * header `X-Requested-With`, which no other site can add unasked, and must come from a page of
 * ours. SameSite alone is not enough: another port of the same host is the same site. `publicUrl`:
 * where browsers find this server, where that is known.
 */
export function requireOwnPage(
  request: FastifyRequest,
  marker: string,
  publicUrl: string | null,
): void {
  if (request.headers['x-requested-with'] !== marker) {
    throw forbidden(`A change needs the header "X-Requested-With: ${marker}".`);
  }
  if (isOwnPage(request, publicUrl)) return;
  throw forbidden('A change has to come from a page of this very address.');
}

function isOwnPage({ headers }: FastifyRequest, publicUrl: string | null): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site === 'same-origin';
  const { origin } = headers;
  if (origin === undefined || !URL.canParse(origin)) return false;
  const { host } = new URL(origin);
  if (publicUrl !== null && new URL(publicUrl).origin === origin) return true;
  return host !== '' && host === headers.host;
}

function forbidden(detail: string): ProblemException {
  return new ProblemException(problem('forbidden', detail));
}
