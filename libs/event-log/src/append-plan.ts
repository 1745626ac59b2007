import {
  BadEventError,
  type LaneAppend,
  type LaneEnd,
  type LaneGroups,
  type NewEvent,
} from './event-log.js';
import { eventFault } from './event-fault.js';
import { hashBatch } from './hash-chain.js';

/** One lane's part of an append, checked and complete. */
export interface PlannedLane {
  /** Where the lane must stand for this to be written. */
  readonly from: LaneEnd;
  /** Where it stands afterwards. */
  readonly to: LaneEnd;
  /** The first takes the position after `from`, the others follow it. */
  readonly events: readonly NewEvent[];
}

/**
 * Checks the events of an append and closes the chain over them. Pure. Lanes come out in ascending
 * order, the order in which every writer locks them. Throws BadEventError for an event that no
 * store may take, and RangeError for a caller's mistake: a lane named twice, one without events, or
 * lanes of several groups.
 */
export function planAppend(appends: readonly LaneAppend[], groups: LaneGroups): PlannedLane[] {
  const lanes = new Set(appends.map(({ end }) => end.lane));
  if (lanes.size !== appends.length) throw new RangeError('A lane is named twice in one append.');
  if (!groups.some((group) => [...lanes].every((lane) => group.includes(lane)))) {
    throw new RangeError(`The lanes ${[...lanes].join(', ')} are of several groups.`);
  }
  return appends.map(planLane).toSorted((a, b) => a.from.lane - b.from.lane);
}

function planLane({ end, events }: LaneAppend): PlannedLane {
  const { lane, position, head } = end;
  if (events.length === 0) throw new RangeError(`The append to lane ${lane} holds no event.`);
  const heads = events.map((event, index) => {
    const fault = eventFault(lane, event);
    if (fault !== undefined) throw new BadEventError(`Lane ${lane}, event ${index}: ${fault}.`);
    return event.hash;
  });
  const to = { lane, position: position + events.length, head: hashBatch(head, heads) };
  return { from: end, to, events };
}
