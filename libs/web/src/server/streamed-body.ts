import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { letArrive } from '../arrival-limit.js';
import { ProblemException, problem } from '../problem.js';

/** The media types of bodies that a route may take as they come. */
export const STREAMED_TYPES = [
  'text/csv',
  'application/x-ndjson',
  'application/jsonl',
  'application/xml',
  'text/xml',
] as const;

const JSON_ONLY = 'A body is taken as application/json only.';
/** Fastify's parser for bodies that are read piece by piece, of routes that take their type. */
export async function takeStream(request: FastifyRequest, body: unknown): Promise<unknown> {
  return isTaken(request) ? body : refuseType(request);
}

/**
 * The pieces of a body that is taken as it comes. The rest of a refused one is passed over: a
 * client reads its answer once all is sent. Throws a ProblemException for another type, and for one
 * that is compressed.
 */
export function streamedBody(request: FastifyRequest): AsyncGenerator<Buffer> {
  const { headers, body } = request;
  const isPlain = /^(?:identity)?$/i.test(headers['content-encoding'] ?? '');
  if (!isPlain || !isTaken(request)) {
    const detail = `A body is taken as ${typesOf(request).join(', ')} only, uncompressed.`;
    throw new ProblemException(problem('unsupported-media-type', detail));
  }
  if (body instanceof Readable) letArrive(body);
  return piecesOf(body);
}

async function* piecesOf(body: unknown): AsyncGenerator<Buffer> {
  if (!(body instanceof Readable)) return;
  try {
    yield* body.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  } catch {
    throw new ProblemException(problem('timeout', 'The body did not arrive whole.'));
  } finally {
    body.resume();
  }
}

/** Fastify's parser for bodies of any other type: none is taken, and the refusal says which are. */
export async function refuseType(request: FastifyRequest): Promise<never> {
  const types = typesOf(request);
  const detail = types.length > 0 ? `A body is taken as ${types.join(', ')} only.` : JSON_ONLY;
  throw new ProblemException(problem('unsupported-media-type', detail));
}

function isTaken(request: FastifyRequest): boolean {
  const [type = ''] = (request.headers['content-type'] ?? '').split(';', 1);
  return typesOf(request).includes(type.trim().toLowerCase());
}

function typesOf(request: FastifyRequest): readonly string[] {
  const { streams = [] } = request.routeOptions.config as { readonly streams?: readonly string[] };
  return streams;
}
