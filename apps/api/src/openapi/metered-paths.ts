import { RESOURCE_NAMES, RESOURCES, type ResourceName } from '#rating/resource.js';
import { COMMON_PROBLEMS } from '#web/foundation-paths.js';
import type { Operation, PathItem, Response } from '#web/openapi-document.js';
import { problemResponses } from '#web/problem-schemas.js';
import type { ProblemSlug } from '#web/problem.js';
import EXAMPLES from './metered-examples.json' with { type: 'json' };
import { ESTIMATE_HEADERS, SOLD_HEADERS } from './metered-headers.js';
import { CALL_PARAMETERS, pathParameters, templateOf } from './metered-parameters.js';

export const METERED_TAG = {
  name: 'Data',
  description:
    'Every call is metered in credits. The first call of a key in a week, which runs from Tuesday ' +
    'to Monday, costs its base rate; every later one 10 credits. Errors cost nothing.\n\n' +
    '`HEAD` of each is a free quote: the status that `GET` would have, and its price.',
};

const REFUSALS: readonly ProblemSlug[] = [
  ...COMMON_PROBLEMS,
  'unauthenticated',
  'invalid-key',
  'out-of-credits',
  'credits-held',
  'budget-exhausted',
  'account-suspended',
  'forbidden',
  'unknown-item',
  'unknown-window',
  'no-data',
  'idempotency-key-used',
  'price-above-maximum',
  'idempotency-conflict',
  'accounting-unavailable',
  'outcome-unknown',
];

interface MeteredOperation {
  readonly path: string;
  readonly name: string;
  readonly summary: string;
  readonly description: string;
  readonly schema: string;
  readonly example: unknown;
}

const OF_CALLS =
  'The call is metered: the first of a key in a week costs its base rate, each later one 10 credits. ' +
  'An `Idempotency-Key` makes a retry free, `Credits-Max` limits the price, and `If-None-Match` ' +
  'saves the body of a repeat and not its price: a 304 costs what a repeat costs. Ask for free ' +
  'with `HEAD` whether there is anything new (`Data-Unchanged-Since`).';
const OF_QUOTES =
  'Returns the status that GET would have, with the price in headers and no body. Nothing is ' +
  'charged and nothing is logged. Use it to check a price before you buy, and whether the answer ' +
  'is another one than in an earlier week: it is not if `Data-Unchanged-Since` is that week or before.';
const METERED: readonly MeteredOperation[] = [
  ...RESOURCE_NAMES.map((name) => metered(name, false)),
  ...RESOURCE_NAMES.filter((name) => RESOURCES[name].mayOmitWindow).map((name) =>
    metered(name, true),
  ),
];

function metered(resource: ResourceName, short: boolean): MeteredOperation {
  const { label, summary, description } = RESOURCES[resource];
  const name = label.replaceAll(/(?:^| )([a-z])/gi, (_, letter: string) => letter.toUpperCase());
  return {
    path: templateOf(resource, short),
    name: short ? `Latest${name}` : name,
    summary: short ? `${summary} (the running week)` : summary,
    description,
    schema: `${name}Answer`,
    example: EXAMPLES[resource],
  };
}

/** The metered resources, each with GET and HEAD. */
export function meteredPaths(baseUrl: string): Record<string, PathItem> {
  const refused = problemResponses(REFUSALS, baseUrl);
  return Object.fromEntries(
    METERED.map((one) => [
      one.path,
      {
        get: operation(`get${one.name}`, one, soldResponses(one), refused),
        head: operation(`quote${one.name}`, one, quotedResponses(), withoutBodies(refused)),
      },
    ]),
  );
}

function operation(
  operationId: string,
  { path, summary, description }: MeteredOperation,
  responses: Record<string, Response>,
  refused: Record<string, Response>,
): Operation {
  const quote = operationId.startsWith('quote');
  return {
    operationId,
    summary: quote ? `Free quote: ${summary.toLowerCase()}` : summary,
    description: quote ? OF_QUOTES : `${description} ${OF_CALLS}`,
    tags: [METERED_TAG.name],
    parameters: [...pathParameters(path), ...CALL_PARAMETERS],
    security: [{ apiKey: [] }],
    responses: { ...responses, ...refused },
  };
}

function soldResponses({ schema, example }: MeteredOperation): Record<string, Response> {
  return {
    200: {
      description: 'The data. It is charged.',
      headers: SOLD_HEADERS,
      content: {
        'application/json': { schema: { $ref: `#/components/schemas/${schema}` }, example },
      },
    },
    304: {
      description: 'The data is what the validator names. Charged as any repeat.',
      headers: SOLD_HEADERS,
    },
  };
}

function quotedResponses(): Record<string, Response> {
  return {
    200: { description: 'What GET would cost. Nothing is charged.', headers: ESTIMATE_HEADERS },
    304: { description: 'GET would answer 304.', headers: ESTIMATE_HEADERS },
  };
}

function withoutBodies(responses: Record<string, Response>): Record<string, Response> {
  return Object.fromEntries(
    Object.entries(responses).map(([status, { description, headers }]) => [
      status,
      { description, headers },
    ]),
  );
}
