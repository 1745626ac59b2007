import { isDatabaseTrouble } from '#database/errors.js';
import { laneOf, type LaneGroups, LogUnavailableError } from '#event-log/event-log.js';
import type { LaneBatch } from './fold.js';
import type { Answer, Pending } from './submission.js';

/** Lanes that one append may write, each list. */
export function byGroup(lanes: readonly LaneBatch[], groups: LaneGroups): (readonly LaneBatch[])[] {
  const parts = groups.map((group) => lanes.filter(({ lane }) => group.includes(lane)));
  return parts.filter((part) => part.length > 0);
}

/** By lane, or a lane's one by one. */
export function partsOf(batch: readonly Pending[]): Pending[][] {
  const lanes = new Map<number, Pending[]>();
  for (const pending of batch) {
    const lane = laneOf(pending.submission.accountId);
    lanes.set(lane, [...(lanes.get(lane) ?? []), pending]);
  }
  return lanes.size > 1 ? [...lanes.values()] : batch.map((pending) => [pending]);
}

export function pendingOf(lanes: readonly LaneBatch[]): Pending[] {
  return lanes.flatMap(({ answers }) => answers.map(({ pending }) => pending));
}

/** True if an answer reports what stands in the log, not what was left undone. */
export function isDurable(answer: Answer<unknown>): boolean {
  return answer.refusal === null && answer.event !== null;
}

export function answerAll({ answers }: LaneBatch): void {
  for (const { pending, answer } of answers) pending.resolve(answer);
}

/** Nothing is wrong with what was asked: the store was away or busy, or it refuses its work. */
export function isOutage(error: unknown): boolean {
  return error instanceof LogUnavailableError || isDatabaseTrouble(error);
}
