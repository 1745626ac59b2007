import type { FastifyRequest } from 'fastify';
import { ProblemException, problem } from '../problem.js';

/** The media types of bodies that a route may take as they come. */
export const STREAMED_TYPES = ['text/csv', 'application/x-ndjson'] as const;

const JSON_ONLY = 'A body is taken as application/json only.';

/** Fastify's parser for bodies that are read piece by piece, of routes that say so. */
export async function takeStream(request: FastifyRequest, body: unknown): Promise<unknown> {
  const { streams } = request.routeOptions.config as { readonly streams?: boolean };
  if (streams === true) return body;
  throw new ProblemException(problem('unsupported-media-type', JSON_ONLY));
}
