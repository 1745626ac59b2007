import type { FastifyReply, FastifyRequest } from 'fastify';
import { ProblemException, problem } from './problem.js';

/** Whole lists that an account may be reading at the same time. */
export const WHOLE_LISTS_MAX = 10;
/** A reader that takes nothing for so long, in ms, is gone. */
const STALLED_MS = 60_000;
const RETRY_S = '10';

const owners = new WeakMap<FastifyRequest, string>();
const reading = new Map<string, number>();

/** Notes the account whose lists a request reads: they count together. Operators have none. */
export function readsFor(request: FastifyRequest, accountId: string): void {
  owners.set(request, accountId);
}

/**
 * Takes one of the places for whole lists of an account until the answer is over, and breaks off an
 * answer that nobody reads on. Throws a ProblemException (`rate-limited`) if there is no place.
 */
export function takePlace(
  request: FastifyRequest,
  { raw }: FastifyReply,
  stalledMs = STALLED_MS,
): void {
  raw.setTimeout(stalledMs, () => {
    // Without anything to be read it is the reading of rows that takes its time.
    if ((raw.socket?.writableLength ?? 0) > 0) raw.destroy();
  });
  const owner = owners.get(request);
  if (owner === undefined) return;
  const taken = reading.get(owner) ?? 0;
  if (taken >= WHOLE_LISTS_MAX) {
    const detail = `An account reads at most ${WHOLE_LISTS_MAX} whole lists at a time.`;
    throw new ProblemException(problem('rate-limited', detail, {}, { 'retry-after': RETRY_S }));
  }
  reading.set(owner, taken + 1);
  raw.once('close', () => {
    const left = (reading.get(owner) ?? 1) - 1;
    if (left === 0) reading.delete(owner);
    else reading.set(owner, left);
  });
}
