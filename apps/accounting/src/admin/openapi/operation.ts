import type {
  Header,
  MediaType,
  Operation,
  Parameter,
  Response,
  Schema,
} from '#web/openapi-document.js';
import { IDEMPOTENCY_KEY, IF_MATCH, REPLAYED } from '#rest/operation/headers.js';
import { COMMON_PROBLEMS, REQUEST_ID_HEADER } from '#web/foundation-paths.js';
import { problemResponses } from '#web/problem-schemas.js';
import type { ProblemSlug } from '#web/problem.js';
import { reference, type BodyName, type SchemaName } from './schemas.js';

/** What sets one route apart; all that every route has in common is added. */
export interface Route {
  readonly id: string;
  readonly tag: string;
  readonly summary: string;
  readonly description?: string;
  /** Names of ids, or whole parameters. */
  readonly path?: readonly (string | Parameter)[];
  readonly query?: readonly Parameter[];
  readonly body?: {
    readonly schema: BodyName;
    readonly required: boolean;
    readonly example: object;
  };
  /** Status of the answer and what it holds; nothing for 204. */
  readonly answer: {
    readonly status: number;
    readonly schema?: SchemaName;
  };
  readonly headers?: Readonly<Record<string, Header>>;
}

const UUID: Schema = { type: 'string', format: 'uuid' };

const ALWAYS: readonly ProblemSlug[] = [
  ...COMMON_PROBLEMS,
  'unauthenticated',
  'invalid-key',
  'forbidden',
  'accounting-unavailable',
];
const OF_CHANGES: readonly ProblemSlug[] = [
  'conflict',
  'idempotency-conflict',
  'outcome-unknown',
  'invalid-body',
  'too-large',
  'unsupported-media-type',
];

/** A route that reads. */
export function readOperation(
  route: Route,
  baseUrl: string,
  further: readonly ProblemSlug[] = [],
): Operation {
  return operation(route, [], [...ALWAYS, ...further], baseUrl);
}

/** A route that changes something. */
export function changeOperation(
  route: Route,
  baseUrl: string,
  more: readonly ProblemSlug[] = [],
): Operation {
  const headers = { 'Idempotent-Replayed': REPLAYED, ...route.headers };
  const slugs = [...ALWAYS, ...OF_CHANGES, ...more];
  // Every change of an account is decided at one version of it.
  const isOfAccount = route.path?.includes('account_id') === true;
  if (!isOfAccount) {
    return operation({ ...route, headers }, [IDEMPOTENCY_KEY], slugs, baseUrl);
  }
  const further = [IDEMPOTENCY_KEY, IF_MATCH];
  return operation({ ...route, headers }, further, [...slugs, 'precondition-failed'], baseUrl);
}

function operation(
  route: Route,
  headers: readonly Parameter[],
  slugs: readonly ProblemSlug[],
  baseUrl: string,
): Operation {
  const { id, tag, summary, description, path = [], query = [], body } = route;
  const found: readonly ProblemSlug[] = path.length > 0 ? ['not-found'] : [];
  const problems = [...new Set([...slugs, ...found])];
  return {
    operationId: id,
    summary,
    ...(description !== undefined && { description }),
    tags: [tag],
    parameters: [...path.map(pathParameter), ...query, ...headers],
    ...(body && {
      requestBody: { required: body.required, content: json(body.schema, body.example) },
    }),
    responses: { [route.answer.status]: success(route), ...problemResponses(problems, baseUrl) },
    security: [{ adminToken: [] }],
  };
}

function pathParameter(name: string | Parameter): Parameter {
  if (typeof name !== 'string') return name;
  const description = `Id of the ${name.slice(0, name.lastIndexOf('_')).replace('_', ' ')}.`;
  return { name, in: 'path', required: true, description, schema: UUID };
}

function json(name: SchemaName, example?: object): Readonly<Record<string, MediaType>> {
  return { 'application/json': { schema: reference(name), ...(example && { example }) } };
}

function success({ answer, headers }: Route): Response {
  return {
    description: answer.schema === undefined ? 'Done.' : 'The answer.',
    headers: { ...REQUEST_ID_HEADER, ...headers },
    ...(answer.schema !== undefined && { content: json(answer.schema) }),
  };
}
