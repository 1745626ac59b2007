import type { PipeTransform } from '@nestjs/common';
import type { z } from 'zod';
import { faultsText } from './parameter-fault.js';
import { ProblemException, problem } from './problem.js';
import { faultSentence, schemaFaultText } from './schema-fault.js';
import { escapePointer, type JsonFault } from './strict-json.js';

const ERRORS_MAX = 100;

/** The problem that lists what is wrong with a body, each fault with its JSON pointer. */
export function invalidBody(errors: readonly JsonFault[]): ProblemException {
  const shown = distinct(errors).slice(0, ERRORS_MAX);
  return new ProblemException(problem('invalid-body', faultsText([], shown), { errors: shown }));
}

/** Two rules of a schema may have the same to say of a value. */
function distinct(errors: readonly JsonFault[]): JsonFault[] {
  const reported = new Set<string>();
  return errors.filter(({ pointer, detail }) => {
    const fault = JSON.stringify([pointer, detail]);
    return !reported.has(fault) && reported.add(fault);
  });
}

/**
 * Checks a parsed body against a schema and answers its typed value. Throws a ProblemException
 * (`invalid-body`) with all faults at once. Use z.strictObject, so that unknown members are faults.
 */
export function parseBody<Schema extends z.ZodType>(
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  if (body === undefined)
    throw invalidBody([{ pointer: '', detail: 'This is missing: an object in JSON.' }]);
  const result = schema.safeParse(body, { error: schemaFaultText });
  if (result.success) return result.data;
  throw invalidBody(result.error.issues.flatMap(issueFaults));
}

/** A Nest pipe around parseBody: `@Body(new BodyPipe(schema))`. */
export class BodyPipe<Schema extends z.ZodType> implements PipeTransform {
  constructor(private readonly schema: Schema) {}

  transform(value: unknown): z.output<Schema> {
    return parseBody(this.schema, value);
  }
}

function issueFaults(issue: z.core.$ZodIssue): JsonFault[] {
  const pointer = pointerOf(issue.path);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: `${pointer}/${escapePointer(key)}`,
      detail: faultSentence(issue.message),
    }));
  }
  return [{ pointer, detail: faultSentence(issue.message) }];
}

function pointerOf(path: readonly PropertyKey[]): string {
  return path.map((segment) => `/${escapePointer(String(segment))}`).join('');
}
