import type { FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Change } from '#deciding/changes/change.js';
import { noSuchAccount } from '#deciding/changes/known-account.js';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { invalidParameters, type ParameterFault } from '#web/parameter-fault.js';
import { ProblemException } from '#web/problem.js';
import { queryFaults } from '#web/query.js';
import { negotiate } from '#web/table-answer.js';
import { isUuid } from '#web/uuid.js';
import { changeOf, queryOrFaults, readConditions } from './read-request.js';

export type Ids<Name extends string> = Readonly<Record<Name, string>>;

/**
 * Reads a change: the ids in its path, in lower case, and its idempotency key. Throws a
 * ProblemException with everything that is wrong about path, query and headers at once, and
 * `not-acceptable` before anything is changed that could not be answered.
 */
export function readChange<Name extends string = never>(
  request: FastifyRequest,
  ...names: readonly Name[]
): Change & { readonly ids: Ids<Name> } {
  negotiate(request, ['application/json']);
  const faults: ParameterFault[] = [];
  const ids = readIds(request, names, faults);
  faults.push(...queryFaults(request.url));
  const conditions = readConditions(request, faults);
  refuse(faults);
  return { ...changeOf(request, conditions), ids };
}

/** Reads the ids in the path and the query of a request that changes nothing. */
export function readQuery<Shape extends z.ZodRawShape, Name extends string = never>(
  request: FastifyRequest,
  schema: z.ZodObject<Shape>,
  ...names: readonly Name[]
): { readonly query: z.output<z.ZodObject<Shape>>; readonly ids: Ids<Name> } {
  const faults: ParameterFault[] = [];
  const ids = readIds(request, names, faults);
  const query = queryOrFaults(schema, request.url, faults);
  refuse(faults);
  return { query: query as z.output<z.ZodObject<Shape>>, ids };
}

/** The ids in the path of a request that takes no query. */
export function readPath<Name extends string>(
  request: FastifyRequest,
  ...names: readonly Name[]
): Ids<Name> {
  return readQuery(request, z.strictObject({}), ...names).ids;
}

function readIds<Name extends string>(
  request: FastifyRequest,
  names: readonly Name[],
  faults: ParameterFault[],
): Ids<Name> {
  const sent = request.params as Readonly<Record<string, string>>;
  const ids = names.map((name) => [name, (sent[name] ?? '').toLowerCase()] as const);
  for (const [name, id] of ids) {
    if (isUuid(id)) continue;
    faults.push({ in: 'path', name, value: sent[name] ?? null, detail: 'This is no UUID.' });
  }
  // The stream of the system has an id of its own in the log, and is no account.
  if (ids.some(([name, id]) => name === 'account_id' && id === SYSTEM_ACCOUNT)) {
    throw noSuchAccount();
  }
  return Object.fromEntries(ids) as Ids<Name>;
}

function refuse(faults: readonly ParameterFault[]): void {
  if (faults.length > 0) throw new ProblemException(invalidParameters(faults));
}
