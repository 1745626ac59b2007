import type { MediaType, Response, Schema } from './openapi-document.js';
import { problemExample } from './problem-page.js';
import { oneOfProblems, problemSchemaName, problemSlugs } from './problem-names.js';
import { PROBLEMS, type ProblemSlug } from './problem.js';

const credits = { type: 'integer' };
const kind = { $ref: '#/components/schemas/CallKind' };
const uuid = { type: 'string', format: 'uuid' };
const TEXT = { type: 'string' };
const texts = { type: 'array', items: { type: 'string' } };

const PARAMETER: Schema = {
  type: 'object',
  required: ['in', 'name', 'value'],
  additionalProperties: false,
  properties: {
    in: { type: 'string', enum: ['path', 'query', 'header', 'request'] },
    name: { type: 'string' },
    value: { type: ['string', 'null'] },
    allowed: texts,
    detail: { type: 'string' },
  },
};

const BODY_FAULT: Schema = {
  type: 'object',
  required: ['pointer', 'detail'],
  additionalProperties: false,
  properties: {
    pointer: { type: 'string', description: 'JSON pointer (RFC 6901).' },
    detail: { type: 'string' },
  },
};

/** The members that a problem has beside those that all have. */
const MEMBERS: Partial<Record<ProblemSlug, Readonly<Record<string, Schema>>>> = {
  'invalid-parameter': { parameters: { type: 'array', minItems: 1, items: PARAMETER } },
  'invalid-body': { errors: { type: 'array', minItems: 1, items: BODY_FAULT } },
  'out-of-credits': {
    required_credits: credits,
    balance: credits,
    available_credits: credits,
    kind,
  },
  'credits-held': {
    required_credits: credits,
    balance: credits,
    held_credits: credits,
    available_credits: credits,
    kind,
  },
  'budget-exhausted': {
    budget_id: uuid,
    required_credits: credits,
    left_credits: credits,
    resets_at: { type: 'string', format: 'date-time' },
  },
  'not-acceptable': { available: texts },
  'idempotency-key-used': { call_id: uuid },
  'idempotency-in-progress': { call_id: uuid },
  'hold-limit': { limit: credits },
  'price-above-maximum': { required_credits: credits, max_credits: credits, kind },
  'outcome-unknown': { call_id: uuid },
};

/** Members that a problem has only where they say something. */
const FURTHER: Partial<Record<ProblemSlug, Readonly<Record<string, Schema>>>> = {
  'invalid-parameter': {
    errors: { type: 'array', minItems: 1, items: BODY_FAULT, description: 'Faults of the body.' },
  },
  conflict: {
    errors: { type: 'array', items: BODY_FAULT, description: 'Faults of the body.' },
    missing: {
      type: 'array',
      description: 'Data that the document lacks.',
      items: {
        type: 'object',
        required: ['party', 'pointer', 'detail'],
        properties: { party: TEXT, pointer: TEXT, detail: TEXT },
      },
    },
    due: { type: 'integer', description: 'The amount due, in minor units.' },
  },
  'idempotency-conflict': {
    call_id: { ...uuid, description: 'The call that the key names; absent if it names a change.' },
    first_request: {
      ...TEXT,
      description:
        'The request that the key names: `GET` and the path of a call, or the type of the event ' +
        'that a change has made, as the audit lists it.',
    },
    first_at: { ...TEXT, format: 'date-time', description: 'When that happened.' },
  },
};

function schemaOf(slug: ProblemSlug): Schema {
  const members = MEMBERS[slug] ?? {};
  const common = ['type', 'code', 'title', 'status', 'detail', 'instance'];
  return {
    type: 'object',
    required: [...common, ...Object.keys(members)],
    additionalProperties: false,
    properties: {
      type: { type: 'string', format: 'uri' },
      code: { const: slug },
      title: { type: 'string' },
      status: { const: PROBLEMS[slug].status },
      detail: { type: 'string' },
      instance: { type: 'string', pattern: '^urn:uuid:[0-9a-f-]{36}$' },
      ...members,
      ...FURTHER[slug],
    },
  };
}

/** A schema for each of these problems, or for all. */
export function problemSchemas(slugs = problemSlugs()): Record<string, Schema> {
  return Object.fromEntries(slugs.map((slug) => [problemSchemaName(slug), schemaOf(slug)]));
}

const REQUEST_ID = {
  'Request-Id': {
    description: 'Id of this request, under which the service logs it.',
    required: true,
    schema: { type: 'string', format: 'uuid' },
  },
} as const;

const FURTHER_HEADERS: Partial<Record<ProblemSlug, readonly string[]>> = {
  unauthenticated: ['WWW-Authenticate'],
  'invalid-key': ['WWW-Authenticate'],
  'method-not-allowed': ['Allow'],
  'rate-limited': ['Retry-After'],
  'accounting-unavailable': ['Retry-After'],
};

const known = new Map<string, Record<string, Response>>();

/** The responses for problems, by status; those of one status share a response. */
export function problemResponses(
  slugs: readonly ProblemSlug[],
  baseUrl: string,
): Record<string, Response> {
  const key = [baseUrl, ...slugs].join(' ');
  const responses = known.get(key) ?? makeResponses(slugs, baseUrl);
  known.set(key, responses);
  return responses;
}

function makeResponses(slugs: readonly ProblemSlug[], baseUrl: string): Record<string, Response> {
  const statuses = new Map<number, ProblemSlug[]>();
  for (const slug of slugs) {
    const { status } = PROBLEMS[slug];
    statuses.set(status, [...(statuses.get(status) ?? []), slug]);
  }
  return Object.fromEntries(
    [...statuses].map(([status, same]) => [String(status), responseOf(same, baseUrl)]),
  );
}

function responseOf(slugs: readonly ProblemSlug[], baseUrl: string): Response {
  const further = slugs.flatMap((slug) => FURTHER_HEADERS[slug] ?? []);
  const headers = further.map((name) => [
    name,
    {
      description: 'Seconds to wait before a retry (RFC 9110).',
      required: true,
      schema: { type: 'string' },
    },
  ]);
  return {
    description: slugs.map((slug) => `${PROBLEMS[slug].title} (\`${slug}\`).`).join(' '),
    headers: { ...REQUEST_ID, ...Object.fromEntries(headers) },
    content: { 'application/problem+json': mediaOf(slugs, baseUrl) },
  };
}

function mediaOf(slugs: readonly ProblemSlug[], baseUrl: string): MediaType {
  const [first] = slugs;
  if (first === undefined) throw new RangeError('A response needs at least one problem.');
  const only = { $ref: `#/components/schemas/${problemSchemaName(first)}` };
  return {
    schema: slugs.length === 1 ? only : oneOfProblems(slugs),
    example: problemExample(first, baseUrl),
  };
}
