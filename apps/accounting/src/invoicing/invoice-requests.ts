import type { FastifyRequest } from 'fastify';
import type { z } from 'zod';
import { readDocumentName, readLineNumber, type DocumentName } from '#ledger/invoice-queries.js';
import { invalidParameters, type ParameterFault } from '#web/parameter-fault.js';
import { ProblemException } from '#web/problem.js';
import { parseQuery } from '#web/query.js';
import type { Change } from '#deciding/changes/change.js';
import { readChange } from '#rest/operation/request-parameters.js';

function parameters(request: FastifyRequest): Readonly<Record<string, string>> {
  return request.params as Readonly<Record<string, string>>;
}

/** Reads the number in a path, and the query. Throws a ProblemException with all faults at once. */
export function readDocumentRequest<Shape extends z.ZodRawShape>(
  request: FastifyRequest,
  schema: z.ZodObject<Shape>,
  isNamed = true,
): { readonly document: DocumentName; readonly query: z.output<z.ZodObject<Shape>> } {
  const faults: ParameterFault[] = [];
  const text = parameters(request)['number'] ?? '';
  const document = isNamed ? readDocumentName(text, faults) : { number: '', format: null };
  return { document, query: parseQuery(schema, request.url, faults) };
}

/** Reads the number and the line in a path, and the query. */
export function readLineRequest<Shape extends z.ZodRawShape>(
  request: FastifyRequest,
  schema: z.ZodObject<Shape>,
): {
  readonly number: string;
  readonly line: number;
  readonly query: z.output<z.ZodObject<Shape>>;
} {
  const faults: ParameterFault[] = [];
  const { number = '', line = '' } = parameters(request);
  const document = readDocumentName(number, faults);
  const n = readLineNumber(line, faults);
  return { number: document.number, line: n, query: parseQuery(schema, request.url, faults) };
}

/** Reads a change of the invoice whose number stands in the path. */
export function readInvoiceChange(request: FastifyRequest): {
  readonly number: string;
  readonly change: Change;
} {
  const faults: ParameterFault[] = [];
  const { number } = readDocumentName(parameters(request)['number'] ?? '', faults);
  const change = readOrFaults(request, faults);
  if (change === undefined || faults.length > 0) {
    throw new ProblemException(invalidParameters(faults));
  }
  return { number, change };
}

function readOrFaults(request: FastifyRequest, faults: ParameterFault[]): Change | undefined {
  try {
    return readChange(request);
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    const { slug, members } = error.problem;
    if (slug !== 'invalid-parameter') throw error;
    faults.push(...(members['parameters'] as readonly ParameterFault[]));
    return undefined;
  }
}
