import type { z } from 'zod';
import { validateRateCard, type RateCardMember } from '#rating/rate-card.js';
import { invalidBody, parseBody } from '#web/body.js';
import { ProblemException } from '#web/problem.js';
import type { JsonFault } from '#web/strict-json.js';

export type Members = Readonly<Record<string, unknown>>;

/** The members of a body that must be an object. Throws a ProblemException (`invalid-body`). */
export function membersOf(body: unknown): Members {
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as Members;
  const detail = body === undefined ? 'A JSON body is needed.' : 'Must be an object.';
  throw invalidBody([{ pointer: '', detail }]);
}

/** What is wrong with the part of a body that is a rate card, or some members of one. */
export function cardFaults(card: Members, members: readonly RateCardMember[]): JsonFault[] {
  return validateRateCard(card, members).map(({ pointer, detail }) => ({
    pointer,
    detail: `${detail.charAt(0).toUpperCase()}${detail.slice(1)}.`,
  }));
}

/** Reads the other part by its schema; what is wrong with it is added to `faults`. */
export function readMembers<Schema extends z.ZodType>(
  schema: Schema,
  members: Members,
  faults: JsonFault[],
): z.output<Schema> | undefined {
  try {
    return parseBody(schema, members);
  } catch (error) {
    if (!(error instanceof ProblemException)) throw error;
    faults.push(...(error.problem.members['errors'] as readonly JsonFault[]));
    return undefined;
  }
}
