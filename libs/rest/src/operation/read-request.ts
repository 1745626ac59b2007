import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import { Calendar } from '#calendar/calendar.js';
import { inputDigest, type Change } from '#deciding/changes/change.js';
import { readIfMatch } from '#deciding/entity-tag.js';
import { noSuchAccount } from '#deciding/changes/known-account.js';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { parseBody } from '#web/body.js';
import { invalidParameters, type ParameterFault } from '#web/parameter-fault.js';
import { ProblemException } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import { pathOf } from '#web/request-target.js';
import { faultSentence } from '#web/schema-fault.js';
import type { JsonFault } from '#web/strict-json.js';
import { negotiate } from '#web/table-answer.js';
import { readIdempotencyKey } from './idempotency-key.js';
import type { OperationRequest, ChangeRequest, Operation } from './operation.js';
import { operatorOf } from './operator.js';
import { pathNames, pathParameter } from './path-parameters.js';

/** The query of an operation that takes none. */
export const NO_QUERY = z.strictObject({});

/** Where an operation is served, and whom. */
export interface Place {
  /** As the interface has it. */
  readonly path: string;
  /** Made once: that takes longer than reading a request by it. */
  readonly query: z.ZodObject;
  /** The one account that the caller may see; null: any account (operators). */
  readonly account: string | null;
}

/** No shape depends on the zone of the calendar; what is read by it does. */
const ANY_ZONE = new Calendar('UTC');

/**
 * The schema of an operation's query. `isOperator`: with what operators alone may ask for.
 * `calendar`: by which dates are read.
 */
export function queryOf(
  { query = NO_QUERY, operatorQuery }: Operation,
  isOperator: boolean,
  calendar = ANY_ZONE,
): z.ZodObject {
  const schema = typeof query === 'function' ? query(calendar) : query;
  return isOperator && operatorQuery ? schema.safeExtend(operatorQuery) : schema;
}

/**
 * Reads a request for an operation of a service. Throws a ProblemException with all that is wrong
 * about path, query, headers and body at once.
 */
export function readRequest(
  operation: Operation,
  service: unknown,
  request: FastifyRequest,
  { path, query: schema, account }: Place,
): OperationRequest | ChangeRequest {
  const { kind, answer } = operation;
  if (kind === 'change' || operation.body !== undefined || operation.stream !== undefined) {
    negotiate(request, ['application/json', ...(answer.types ?? [])]);
  }
  const faults: ParameterFault[] = [];
  const values = readPath(request, path, faults);
  const query = queryOrFaults(schema, request.url, faults);
  const conditions = kind === 'change' ? readConditions(request, faults) : undefined;
  if (faults.length > 0) {
    const errors = bodyFaults(operation, service, request.body);
    throw new ProblemException(invalidParameters(faults, errors));
  }
  const asked = {
    path: {
      ...(account !== null && { account_id: account }),
      ...values,
    } as OperationRequest['path'],
    query,
    account,
    request,
  };
  const change = conditions && changeOf(request, conditions);
  const body = readBody(operation, service, request.body);
  return change === undefined ? { ...asked, body } : { ...asked, body, change };
}

function readPath(
  request: FastifyRequest,
  path: string,
  faults: ParameterFault[],
): Record<string, unknown> {
  const sent = request.params as Readonly<Record<string, string>>;
  const values: Record<string, unknown> = {};
  for (const name of pathNames(path)) {
    const value = sent[name] ?? '';
    const read = pathParameter(name).safeParse(value);
    if (read.success) values[name] = read.data;
    for (const { message } of read.error?.issues ?? []) {
      faults.push({ in: 'path', name, value, detail: faultSentence(message) });
    }
  }
  // The stream of the system has an id of its own in the log, and is no account.
  if (values['account_id'] === SYSTEM_ACCOUNT) throw noSuchAccount();
  return values;
}

/** Reads the query; adds its faults to `faults`. */
export function queryOrFaults<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  url: string,
  faults: ParameterFault[],
): z.output<z.ZodObject<Shape>> | undefined {
  try {
    return parseQuery(schema, url);
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    faults.push(...(error.problem.members['parameters'] as readonly ParameterFault[]));
    return undefined;
  }
}

type Conditions = Pick<Change, 'idempotencyKey' | 'ifMatch'>;

/** Reads conditional headers; adds their faults to `faults`. */
export function readConditions(request: FastifyRequest, faults: ParameterFault[]): Conditions {
  const idempotencyKey = readIdempotencyKey(request.headers['idempotency-key'], faults);
  const ifMatch = readIfMatch(request.headers['if-match'], faults);
  return { idempotencyKey, ...(ifMatch && { ifMatch }) };
}

/** A change as its event names it. */
export function changeOf(request: FastifyRequest, conditions: Conditions): Change {
  const { method, id, body } = request;
  const { idempotencyKey } = conditions;
  const path = pathOf(request.url);
  return {
    ...conditions,
    by: operatorOf(request),
    requestId: id,
    // A request without a key is like no other, also when it says the same: a digest of what it
    // says would only let somebody find out by trying.
    input:
      idempotencyKey === null
        ? inputDigest(method, path, id, null)
        : inputDigest(method, path, idempotencyKey, body),
  };
}

function readBody(
  { body: schema, isBodyOptional, readBody: read }: Operation,
  service: unknown,
  body: unknown,
): unknown {
  if (schema === undefined) return undefined;
  if (read !== undefined) return read(service, body);
  return parseBody(schema, isBodyOptional === true && body === undefined ? {} : body);
}

/** Faults of the body of a request that is refused anyway. */
function bodyFaults(operation: Operation, service: unknown, body: unknown): readonly JsonFault[] {
  try {
    readBody(operation, service, body);
    return [];
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    return (error.problem.members['errors'] as readonly JsonFault[] | undefined) ?? [];
  }
}
