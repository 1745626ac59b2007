import type {
  Header,
  MediaType,
  Operation,
  Parameter,
  Response,
  Schema,
} from '#web/openapi-document.js';
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
    readonly csv?: boolean;
    /** Whether it comes as the bytes of every format too. */
    readonly documents?: boolean;
  };
  readonly headers?: Readonly<Record<string, Header>>;
  /** Whether `If-Match` is told of. */
  readonly isConditional?: boolean;
}

const UUID: Schema = { type: 'string', format: 'uuid' };
const TEXT: Schema = { type: 'string' };

const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Names this change for ever: the same request under it is answered again without a second ' +
    'change, another one is refused. Its scope is the account.',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
};

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  description:
    'The `ETag` that this change is meant for, several, or `*`: of any other the change is refused. ' +
    'Budgets, billing details and the seller have their own, which changes when they are changed; ' +
    'that of everything else is its account’s, which anything that happens changes, a call too.',
  schema: { type: 'string' },
  example: '"12"',
};

/** The validator of what is read from an account. */
export const ETAG: Header = {
  description: 'Version of the account, for `If-Match`.',
  required: true,
  schema: { type: 'string', pattern: '^"[0-9]+"$' },
};

/** The validator of what can be set as a whole. */
export const OWN_ETAG: Header = {
  description: 'Another one whenever it is changed, for `If-Match`.',
  required: true,
  schema: { type: 'string', pattern: '^"[0-9A-Za-z_-]+"$' },
};

const REPLAYED: Header = {
  description: '`true` on the answer to a retry.',
  schema: { type: 'string', enum: ['true'] },
};

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

/** A route that begins what goes on after its answer. */
export function startOperation(route: Route, baseUrl: string): Operation {
  const location = { Location: { description: 'Where to ask after it.', schema: TEXT } };
  return changeOperation({ ...route, headers: location }, baseUrl);
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
  const isOfAccount = route.tag !== 'Webhooks' && route.path?.includes('account_id') === true;
  if (route.isConditional !== true && !isOfAccount) {
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

const DOCUMENT_TYPES: Readonly<Record<string, MediaType>> = {
  'application/pdf': { schema: { type: 'string', contentMediaType: 'application/pdf' } },
  'application/xml': { schema: TEXT },
};

function success({ answer, headers }: Route): Response {
  const csv = { 'text/csv': { schema: TEXT } };
  const next: Record<string, Header> = answer.csv
    ? { Link: { description: 'The page after (`rel="next"`).', schema: TEXT } }
    : {};
  return {
    description: answer.schema === undefined ? 'Done.' : 'The answer.',
    headers: { ...REQUEST_ID_HEADER, ...next, ...headers },
    ...(answer.schema !== undefined && {
      content: {
        ...json(answer.schema),
        ...((answer.csv || answer.documents) && csv),
        ...(answer.documents && DOCUMENT_TYPES),
      },
    }),
  };
}
