import { RATE_HEADERS } from '#rest/operation/headers.js';
import { COMMON_PROBLEMS, REQUEST_ID_HEADER } from '#web/foundation-paths.js';
import type { Operation, PathItem, Response } from '#web/openapi-document.js';
import { problemResponses } from '#web/problem-schemas.js';
import type { ProblemSlug } from '#web/problem.js';
import { EXAMPLES } from './examples.js';

export const ACCOUNT_TAG = {
  name: 'Account',
  description:
    'Prices and the account of the API key’s holder: free, and never kept by a cache. Lists also ' +
    'come as CSV (`Accept: text/csv`): with a `limit` page by page, the next in the `Link` header; ' +
    'without one whole, and a connection that ends early means that rows are missing. A cell that ' +
    'a spreadsheet would run as a formula is led by an apostrophe.',
};

const REFUSALS: readonly ProblemSlug[] = [
  ...COMMON_PROBLEMS,
  'unauthenticated',
  'invalid-key',
  'forbidden',
  'accounting-unavailable',
];

interface Free {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly example?: unknown;
  readonly table?: boolean;
}

/** The free resources of an API key's holder. */
export function accountPaths(baseUrl: string): Record<string, PathItem> {
  return {
    '/v1/quotes': { post: quotes(baseUrl) },
  };
}

function quotes(baseUrl: string): Operation {
  const free: Free = {
    operationId: 'quote',
    summary: 'Prices of calls, as if they were made in this order',
    description:
      'Takes 1 to 1000 paths or absolute URLs. Each is priced as if those before it had been called; ' +
      'one that is wrong gets its own problem and fails no other. Free: nothing is charged. It counts ' +
      'as one request of the rate limit for each 20 URLs.',
    schema: 'Quote',
    example: EXAMPLES.quote,
    table: true,
  };
  const more: ProblemSlug[] = [
    'invalid-body',
    'account-suspended',
    'too-large',
    'unsupported-media-type',
  ];
  return {
    ...operation(free, baseUrl, more),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: '#/components/schemas/QuoteRequest' },
          example: EXAMPLES.quoteRequest,
        },
      },
    },
  };
}

function operation(free: Free, baseUrl: string, more: readonly ProblemSlug[]): Operation {
  return {
    operationId: free.operationId,
    summary: free.summary,
    description: free.description,
    tags: [ACCOUNT_TAG.name],
    parameters: [],
    security: [{ apiKey: [] }],
    responses: { 200: answer(free), ...problemResponses([...REFUSALS, ...more], baseUrl) },
  };
}

function answer({ schema, example, table }: Free): Response {
  return {
    description: 'The answer.',
    headers: { ...REQUEST_ID_HEADER, ...RATE_HEADERS },
    content: {
      'application/json': {
        schema: { $ref: `#/components/schemas/${schema}` },
        ...(example !== undefined && { example }),
      },
      ...(table && { 'text/csv': { schema: { type: 'string' } } }),
    },
  };
}
