import type { Header, Operation, PathItem, Response, Schema } from './openapi-document.js';
import { problemResponses } from './problem-schemas.js';
import type { ProblemSlug } from './problem.js';
import { VERSION } from './version.js';

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
    description: 'Id of this request, under which the service logs it.',
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
  required: ['alive', 'version'],
  additionalProperties: false,
  properties: { alive: { const: true }, version: { type: 'string' } },
};

/** Summary and description of each operation. */
const TEXTS = {
  getHealth: [
    'Whether the process lives',
    'For a process manager, which restarts a process that does not answer. It does not ask the database, so an outage of the database restarts nothing.',
  ],
  getReadiness: [
    'Whether the process can serve, and which part cannot',
    'For load balancers: 503 while a part cannot serve. Warnings need a look, and take no traffic away.',
  ],
  getMetrics: [
    'Metrics for Prometheus',
    'Needs `METRICS_TOKEN` as the bearer token. Where none is set, only this machine may read it.',
  ],
  getDocument: [
    'This document',
    'OpenAPI 3.1. It stays the same while the process lives: send its `ETag` as `If-None-Match`.',
  ],
  getDocs: [
    'This document as a page',
    'Everything on one page without a script, so that it can be searched and printed.',
  ],
  listProblems: [
    'All problems',
    'A page with every `code` that an answer may have, its status and a link to its own page.',
  ],
  getProblem: [
    'What a problem means and what to do',
    'A page for one `code`: what it means, when it comes, and an example. `type` of a problem leads here.',
  ],
} as const;

const SLUG = {
  name: 'slug',
  in: 'path',
  required: true,
  description: 'The `code` of a problem.',
  schema: { type: 'string' },
} as const;

/** The paths that FoundationModule serves, for the document of an application. */
export function foundationPaths(baseUrl: string): Record<string, PathItem> {
  const service = (
    id: keyof typeof TEXTS,
    ok: Record<string, Response>,
    problems = COMMON_PROBLEMS,
  ): PathItem => ({ get: operation(id, { ...ok, ...problemResponses(problems, baseUrl) }) });
  const uncounted = COMMON_PROBLEMS.filter((slug) => slug !== 'rate-limited');
  const problem = service('getProblem', fixed(page()));
  const ready = { ready: true, parts: { database: { ready: true } }, warnings: [] };
  const away = { database: { ready: false, detail: 'It does not answer.' } };
  return {
    '/healthz': service(
      'getHealth',
      { 200: json(ALIVE, { alive: true, version: VERSION }) },
      uncounted,
    ),
    '/readyz': service(
      'getReadiness',
      { 200: json(READINESS, ready), 503: json(READINESS, { ready: false, parts: away }) },
      uncounted,
    ),
    '/metrics': service('getMetrics', { 200: metrics() }, [
      ...uncounted,
      'unauthenticated',
      'invalid-key',
    ]),
    '/openapi.json': service('getDocument', fixed(json({ type: 'object' }, { openapi: '3.1.1' }))),
    '/docs': service('getDocs', fixed(page())),
    '/problems': service('listProblems', fixed(page())),
    '/problems/{slug}': { get: { ...problem.get, parameters: [SLUG] } as Operation },
  };
}

function operation(
  operationId: keyof typeof TEXTS,
  responses: Record<string, Response>,
): Operation {
  const [summary, description] = TEXTS[operationId];
  return { operationId, summary, description, tags: [SERVICE_TAG.name], security: [], responses };
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
    content: {
      'text/plain': {
        schema: { type: 'string' },
        example: 'process_start_time_seconds 1795262400\n',
      },
    },
  };
}

/** Adds a validator to an answer that is constant while the service runs. */
function fixed(answer: Response): Record<string, Response> {
  const tag = {
    description: 'Weak validator of the bytes.',
    required: true,
    schema: { type: 'string' },
  };
  const headers = { ...REQUEST_ID_HEADER, ETag: tag };
  const unchanged = { description: 'The client has it: `If-None-Match` names it.', headers };
  return { 200: { ...answer, headers }, 304: unchanged };
}

function page(): Response {
  return {
    description: 'A page.',
    headers: REQUEST_ID_HEADER,
    content: { 'text/html': { schema: { type: 'string' }, example: '<!doctype html>…' } },
  };
}
