import type { z } from 'zod';
import { COMMON_PROBLEMS, REQUEST_ID_HEADER } from '#web/foundation-paths.js';
import type {
  Header,
  MediaType,
  Operation as Described,
  Parameter,
  PathItem,
  Response,
  Schema,
} from '#web/openapi-document.js';
import { problemResponses } from '#web/problem-schemas.js';
import type { ProblemSlug } from '#web/problem.js';
import {
  ETAGS,
  IDEMPOTENCY_KEY,
  IF_MATCH,
  LAG,
  LINK,
  LOCATION,
  REPLAYED,
  REQUESTED_WITH,
  SET_COOKIE,
} from './headers.js';
import type { Interface } from './interfaces.js';
import { examplesOf } from './examples.js';
import { JsonSchemas } from './json-schemas.js';
import type { Operation, Access, Resource } from './operation.js';
import { pathNames, pathParameter } from './path-parameters.js';
import { queryOf } from './read-request.js';

const OF_ALL: readonly ProblemSlug[] = [
  ...COMMON_PROBLEMS,
  'unauthenticated',
  'invalid-key',
  'forbidden',
  'accounting-unavailable',
];
const OF_CHANGES: readonly ProblemSlug[] = ['conflict', 'idempotency-conflict', 'outcome-unknown'];
const OF_BODIES: readonly ProblemSlug[] = ['invalid-body', 'too-large', 'unsupported-media-type'];
const SECURITY = { admin: 'adminToken', portal: 'portalSession', public: 'apiKey' } as const;
const TEXT: Schema = { type: 'string' };

/** The part of an OpenAPI document that describes these operations. */
export interface DescribedOperations {
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly schemas: Readonly<Record<string, Schema>>;
}

/** The operations that stand in an interface. `baseUrl`: where the pages of problems are. */
export function describeOperations(
  to: Interface,
  resources: readonly Resource[],
  baseUrl: string,
): DescribedOperations {
  const schemas = new JsonSchemas();
  const paths: Record<string, PathItem> = {};
  for (const operation of resources.flatMap(({ operations }) => operations)) {
    const own = to.pathOf(operation);
    if (own === undefined) continue;
    const path = `${to.prefix}${own}`;
    const described = describe(to, operation, own, schemas, baseUrl);
    paths[path] = { ...paths[path], [operation.method]: described };
  }
  return { paths, schemas: schemas.all };
}

function describe(
  to: Interface,
  operation: Operation,
  path: string,
  schemas: JsonSchemas,
  baseUrl: string,
): Described {
  const { id, tag, summary, description, body, isBodyOptional, answer } = operation;
  const names = pathNames(path);
  const query = queryOf(operation, to.name === 'admin');
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    parameters: [
      ...names.map((name) => parameterOf('path', name, pathParameter(name), schemas)),
      ...Object.entries(query.shape).map(([name, schema]) =>
        parameterOf('query', name, schema as z.ZodType, schemas),
      ),
      ...headersOf(to, operation),
    ],
    ...(body && {
      requestBody: { required: isBodyOptional !== true, content: jsonOf(body, 'input', schemas) },
    }),
    ...(operation.stream && {
      requestBody: { required: true, content: streamed(operation.stream) },
    }),
    responses: {
      [answer.status]: success(to, operation, answer.status, schemas),
      ...(answer.mayGoOn && { 202: success(to, operation, 202, schemas) }),
      ...problemResponses(problemsOf(to, operation, names.length > 0), baseUrl),
    },
    security:
      operation.access.isOpen === true
        ? []
        : [{ [SECURITY[to.name]]: rolesOf(to, operation.access) }],
  };
}

/** Who may ask: roles of tokens, the least role of a session, or the scope of an API key. */
function rolesOf(to: Interface, { roles = [], session, scope }: Access): readonly string[] {
  if (to.name === 'admin') return ['owner', ...roles];
  return [(to.name === 'portal' ? session : scope) ?? ''].filter((role) => role !== '');
}

function headersOf(to: Interface, operation: Operation): Parameter[] {
  const { kind, method, isConditional, headers = [] } = operation;
  return [
    ...headers,
    ...(kind === 'change' ? [IDEMPOTENCY_KEY] : []),
    ...(isConditional === true ? [IF_MATCH] : []),
    ...(to.name === 'portal' && method !== 'get' ? [REQUESTED_WITH] : []),
  ];
}

function problemsOf(to: Interface, operation: Operation, isNamed: boolean): ProblemSlug[] {
  const { kind, isConditional, body, stream, problems = [] } = operation;
  const slugs: ProblemSlug[] = [...OF_ALL];
  if (kind === 'change') slugs.push(...OF_CHANGES, ...OF_BODIES);
  else if (body !== undefined || stream !== undefined) slugs.push(...OF_BODIES);
  if (to.name === 'public' && operation.access.scope === 'data') slugs.push('account-suspended');
  slugs.push(...problems);
  if (isConditional === true) slugs.push('precondition-failed');
  if (isNamed) slugs.push('not-found');
  return [...new Set(slugs)];
}

/** `meta({ schema })` stands in the place of what follows from the schema of a text. */
function parameterOf(
  place: 'path' | 'query',
  name: string,
  schema: z.ZodType,
  schemas: JsonSchemas,
): Parameter {
  const { description = '', example, schema: shown } = schema.meta() ?? {};
  const isRequired = place === 'path' || !schema.safeParse(undefined).success;
  return {
    name,
    in: place,
    ...(isRequired && { required: true }),
    description,
    schema: (shown as Schema | undefined) ?? plain(schemas.of(schema, 'input')),
    ...(example !== undefined && { example }),
  };
}

function plain({ description: _description, example: _example, ...schema }: Schema): Schema {
  return schema;
}

/** With the first example of the schema. */
function jsonOf(
  schema: z.ZodType,
  direction: 'input' | 'output',
  schemas: JsonSchemas,
): Record<string, MediaType> {
  const [example] = examplesOf(schema);
  const media = {
    schema: schemas.of(schema, direction),
    ...(example !== undefined && { example }),
  };
  return { 'application/json': media };
}

function streamed(examples: Readonly<Record<string, string>>): Record<string, MediaType> {
  const media = Object.entries(examples).map(([type, example]) => {
    return [type, { schema: textOf(type), example }] as const;
  });
  return Object.fromEntries(media);
}

function success(
  to: Interface,
  operation: Operation,
  status: number,
  schemas: JsonSchemas,
): Response {
  const { kind, answer, location, waitsFor } = operation;
  const { schema, types = [], examples = {}, isPaged, validator, setsCookie } = answer;
  const headers: Record<string, Header> = {
    ...REQUEST_ID_HEADER,
    ...to.headers,
    ...(kind === 'change' && { 'Idempotent-Replayed': REPLAYED }),
    ...(isPaged === true && { Link: LINK }),
    ...(location && to.name === 'admin' && status !== 200 && { Location: LOCATION }),
    ...(validator && to.name !== 'public' && { ETag: ETAGS[validator] }),
    ...(setsCookie === true && { 'Set-Cookie': SET_COOKIE }),
    ...(waitsFor && to.name === 'admin' && { 'Projection-Lag': LAG }),
    ...answer.headers,
  };
  const others = types.map((type) => {
    const example = examples[type];
    return [type, { schema: textOf(type), ...(example !== undefined && { example }) }] as const;
  });
  const content = {
    ...(schema && jsonOf(schema, 'output', schemas)),
    ...Object.fromEntries(others),
  };
  const isEmpty = Object.keys(content).length === 0;
  return {
    description: isEmpty ? 'Done.' : 'The answer.',
    headers,
    ...(!isEmpty && { content }),
  };
}

/** A text, or bytes of that media type. */
function textOf(type: string): Schema {
  const isText = /^text\/|xml|json/.test(type);
  return isText ? TEXT : { ...TEXT, contentMediaType: type };
}
