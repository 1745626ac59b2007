import type { FastifyRequest } from 'fastify';
import { invalidBody } from '../body.js';
import { ProblemException, problem } from '../problem.js';
import { parseStrictJson } from '../strict-json.js';

const UTF_8 = new TextDecoder('utf-8', { fatal: true });
const CHARSET = /;\s*charset\s*=\s*["']?([^"';,\s]+)/i;

/** Fastify's parser for application/json: UTF-8 only, strict, every fault has a place. */
export async function parseJsonBody(request: FastifyRequest, body: Buffer): Promise<unknown> {
  const charset = CHARSET.exec(request.headers['content-type'] ?? '')?.[1]?.toLowerCase();
  if (charset !== undefined && !isUtf8(charset)) {
    throw unsupported(`A body is taken in UTF-8 only, not in "${charset}".`);
  }
  const coding = request.headers['content-encoding'];
  if (coding && coding.toLowerCase() !== 'identity') {
    throw unsupported(`A body is taken as it is, without the content coding "${coding}".`);
  }
  if (body.length === 0) return undefined;
  const parsed = parseStrictJson(decode(body));
  if (parsed.outcome === 'fault') throw invalidBody([parsed.fault]);
  return parsed.value;
}

/** By any name of the encoding standard, or Python's; ASCII is a part of it. */
function isUtf8(charset: string): boolean {
  if (/^(?:us-)?ascii$/.test(charset)) return true;
  try {
    return new TextDecoder(charset.replace('_', '-')).encoding === 'utf-8';
  } catch {
    return false;
  }
}

function decode(body: Buffer): string {
  try {
    return UTF_8.decode(body);
  } catch {
    throw invalidBody([{ pointer: '', detail: 'The bytes are not UTF-8.' }]);
  }
}

function unsupported(detail: string): ProblemException {
  return new ProblemException(problem('unsupported-media-type', detail));
}
