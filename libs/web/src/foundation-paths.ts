import type { Header, Operation, PathItem, Response, Schema } from './openapi-document.js';
import { problemResponses } from './problem-schemas.js';
import type { ProblemSlug } from './problem.js';

/** Problems of any request to any route. */
export const COMMON_PROBLEMS: readonly ProblemSlug[] = [
  'invalid-parameter',
  'not-found',
  'not-acceptable',
  'rate-limited',
  'timeout',
  'uri-too-long',
  'headers-too-large',
  'internal',
];

export const REQUEST_ID_HEADER: Readonly<Record<string, Header>> = {
  'Request-Id': {
    description: 'Names this request; it stands in the log.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
};

export const SERVICE_TAG = {
  name: 'Service',
  description: 'The service itself. No key is needed.',
};

const READINESS: Schema = {
  type: 'object',
  required: ['ready', 'parts'],
  additionalProperties: false,
  properties: {
    ready: { type: 'boolean' },
    parts: {
      type: 'object',
      additionalProperties: {
        type: 'object',
        required: ['ready'],
        additionalProperties: false,
        properties: { ready: { type: 'boolean' }, detail: { type: 'string' } },
      },
    },
    warnings: {
      type: 'array',
      items: { type: 'string' },
      description: 'Warnings that need attention although the process serves.',
    },
  },
};

const ALIVE: Schema = {
  type: 'object',
  required: ['alive'],
  additionalProperties: false,
  properties: { alive: { const: true } },
};

/** The paths that FoundationModule serves, for the document of an application. */
export function foundationPaths(baseUrl: string): Record<string, PathItem> {
  const service = (
    operationId: string,
    summary: string,
    ok: Record<string, Response>,
    problems = COMMON_PROBLEMS,
  ): PathItem => ({
    get: operation(operationId, summary, { ...ok, ...problemResponses(problems, baseUrl) }),
  });
  const uncounted = COMMON_PROBLEMS.filter((slug) => slug !== 'rate-limited');
  const problem = service('readProblem', 'What a problem means and what to do', fixed(page()));
  const slug = {
    name: 'slug',
    in: 'path',
    required: true,
    description: 'The `code` of a problem.',
    schema: { type: 'string' },
  } as const;
  return {
    '/healthz': service(
      'healthz',
      'Whether the process lives',
      { 200: json(ALIVE, { alive: true }) },
      uncounted,
    ),
    '/readyz': service(
      'readyz',
      'Whether the process can serve, and which part cannot',
      {
        200: json(READINESS, { ready: true, parts: { database: { ready: true } }, warnings: [] }),
        503: json(READINESS, {
          ready: false,
          parts: { database: { ready: false, detail: 'It does not answer.' } },
        }),
      },
      uncounted,
    ),
    '/metrics': service(
      'readMetrics',
      'Metrics for Prometheus; with METRICS_TOKEN as the bearer, or where none is set for this machine alone',
      { 200: metrics() },
      [...uncounted, 'unauthenticated', 'invalid-key'],
    ),
    '/openapi.json': service('readDocument', 'This document', fixed(json({ type: 'object' }))),
    '/docs': service('readDocs', 'This document as a page', fixed(page())),
    '/problems': service('listProblems', 'All problems', fixed(page())),
    '/problems/{slug}': { get: { ...problem.get, parameters: [slug] } as Operation },
  };
}

function operation(
  operationId: string,
  summary: string,
  responses: Record<string, Response>,
): Operation {
  return { operationId, summary, tags: [SERVICE_TAG.name], security: [], responses };
}

function json(schema: Schema, example?: unknown): Response {
  return {
    description: 'The answer.',
    headers: REQUEST_ID_HEADER,
    content: { 'application/json': { schema, example } },
  };
}

function metrics(): Response {
  return {
    description: 'The metrics of this process.',
    headers: REQUEST_ID_HEADER,
    content: { 'text/plain': { schema: { type: 'string' } } },
  };
}

/** Adds a validator to an answer that is constant while the service runs. */
function fixed(answer: Response): Record<string, Response> {
  const tag = { description: 'Of the bytes, weak.', required: true, schema: { type: 'string' } };
  const headers = { ...REQUEST_ID_HEADER, ETag: tag };
  const unchanged = { description: 'The client has it: `If-None-Match` names it.', headers };
  return { 200: { ...answer, headers }, 304: unchanged };
}

function page(): Response {
  return {
    description: 'A page.',
    headers: REQUEST_ID_HEADER,
    content: { 'text/html': { schema: { type: 'string' } } },
  };
}
