import { SYSTEM_LANE } from './event-log.js';
import type { Fold } from './fold.js';
import type { LostPositions } from './lane-continuity.js';

// These names are the stored format of lane 0: types and members may be added, never renamed.
export const LOG_POSITIONS_LOST = 'LogPositionsLost';
export const LOG_LOSS_ACKNOWLEDGED = 'LogLossAcknowledged';

/** Data of `LogPositionsLost`: a process has found that the log went back behind what it knew. */
export interface LogPositionsLost {
  readonly by: 'system';
  readonly request: '';
  /** Digest of what was asked: nobody asked. */
  readonly input: '';
  readonly lanes: readonly LostPositions[];
}

/**
 * Those of `losses` that the `standing` ones do not cover: another process may have recorded them.
 */
export function unrecorded(
  losses: readonly LostPositions[],
  standing: readonly LostPositions[],
): LostPositions[] {
  return losses.filter((loss) => !standing.some((recorded) => covers(recorded, loss)));
}

/**
 * True if a recorded loss reaches from as high to as low, or lower where the lane has grown since.
 */
function covers(recorded: LostPositions, { lane, from, to }: LostPositions): boolean {
  if (recorded.lane !== lane || recorded.from < from) return false;
  return to === null || (recorded.to !== null && recorded.to <= to);
}

/** The losses that nobody has acknowledged. */
export const STANDING_LOSSES: Fold<readonly LostPositions[]> = {
  initial: () => [],
  evolve: (losses, { type, data }) => {
    if (type === LOG_LOSS_ACKNOWLEDGED) return [];
    if (type !== LOG_POSITIONS_LOST) return losses;
    return [...losses, ...(JSON.parse(data) as LogPositionsLost).lanes];
  },
};

/** Customers may hold documents with lost numbers: no number is given before an acknowledgement. */
export function keepsNumbers(losses: readonly LostPositions[]): boolean {
  return losses.some(({ lane }) => lane === SYSTEM_LANE);
}

/** How many positions were lost; of a lane that has grown since, one is known. */
export function countLost({ from, to }: LostPositions): number {
  return to === null ? 1 : from - to;
}

/** A loss for operators: `lane 17: 1,204 to 1,180`. */
export function lossText({ lane, from, to }: LostPositions): string {
  const number = (position: number): string => position.toLocaleString('en-US');
  return `lane ${lane}: ${number(from)} to ${to === null ? 'another history' : number(to)}`;
}
