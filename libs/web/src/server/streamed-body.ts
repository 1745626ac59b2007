import type { FastifyRequest } from 'fastify';
import { ProblemException, problem } from '../problem.js';

/** The media types of bodies that a route may take as they come. */
export const STREAMED_TYPES = ['text/csv', 'application/x-ndjson', 'application/jsonl'] as const;

const JSON_ONLY = 'A body is taken as application/json only.';
const STREAMED_ONLY = `A body is taken as ${STREAMED_TYPES.join(', ')} only.`;

/** Fastify's parser for bodies that are read piece by piece, of routes that say so. */
export async function takeStream(request: FastifyRequest, body: unknown): Promise<unknown> {
  if (!isStreamed(request)) return refuseType(request);
  return body;
}

/** Fastify's parser for bodies of any other type: none is taken, and the refusal says which are. */
export async function refuseType(request: FastifyRequest): Promise<never> {
  const detail = isStreamed(request) ? STREAMED_ONLY : JSON_ONLY;
  throw new ProblemException(problem('unsupported-media-type', detail));
}

function isStreamed(request: FastifyRequest): boolean {
  const { streams } = request.routeOptions.config as { readonly streams?: boolean };
  return streams === true;
}
