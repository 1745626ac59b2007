import type { EventLog, LaneEnd, StoredBatch } from './event-log.js';

/** Positions of a lane that somebody knew and that the log no longer holds as they were. */
export interface LostPositions {
  readonly lane: number;
  /** The position that was known. */
  readonly from: number;
  /** Where the lane stands now; null where it is as long as before or longer, with other events. */
  readonly to: number | null;
}

/**
 * Lost positions of a lane whose end does not continue an earlier one; otherwise undefined. Pure.
 * `atKnown`: the first batch that ends at the known position or after it, which only a longer lane
 * needs.
 */
export function lostPositions(
  known: LaneEnd,
  now: LaneEnd,
  atKnown: StoredBatch | undefined,
): LostPositions | null {
  const { lane, position: from, head } = known;
  if (now.position < from) return { lane, from, to: now.position };
  const headThen =
    now.position === from ? now.head : atKnown?.lastPosition === from ? atKnown.hash : null;
  // Nothing stands before the first position that could be another one.
  return from === 0 || headThen === head ? null : { lane, from, to: null };
}

/** The same for a lane of the log, which is asked only if the lane has grown. */
export async function findLost(
  log: Pick<EventLog, 'batches'>,
  known: LaneEnd,
  now: LaneEnd,
): Promise<LostPositions | null> {
  const { lane, position } = known;
  const hasGrown = position > 0 && now.position > position;
  const [atKnown] = hasGrown ? await log.batches(lane, position - 1, 1) : [];
  return lostPositions(known, now, atKnown);
}

/** Whether two ends are one and the same place of one and the same history. */
export function isSameEnd(a: LaneEnd, b: LaneEnd): boolean {
  return a.position === b.position && a.head === b.head;
}
