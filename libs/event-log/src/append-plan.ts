import { BadEventError, type LaneAppend, type LaneEnd, type StoredEvent } from './event-log.js';
import { eventFault } from './event-fault.js';
import { hashBatch } from './hash-chain.js';

/** One lane's part of an append, checked and complete. */
export interface PlannedLane {
  /** Where the lane must stand for this to be written. */
  readonly from: LaneEnd;
  /** Where it stands afterwards. */
  readonly to: LaneEnd;
  readonly events: readonly StoredEvent[];
}

/**
 * Gives positions and heads to the events of an append. Pure. Lanes come out in ascending order,
 * the order in which every writer locks them. Throws BadEventError for an event that no store may
 * take, and RangeError for a caller's mistake: a lane named twice, or one without events.
 */
export function planAppend(appends: readonly LaneAppend[]): PlannedLane[] {
  const lanes = new Set(appends.map(({ end }) => end.lane));
  if (lanes.size !== appends.length) throw new RangeError('A lane is named twice in one append.');
  return appends.map(planLane).toSorted((a, b) => a.from.lane - b.from.lane);
}

function planLane({ end, events }: LaneAppend): PlannedLane {
  const { lane, position, head } = end;
  if (events.length === 0) throw new RangeError(`The append to lane ${lane} holds no event.`);
  const stored = events.map((event, index): StoredEvent => {
    const fault = eventFault(lane, event);
    if (fault !== undefined) throw new BadEventError(`Lane ${lane}, event ${index}: ${fault}.`);
    const { accountId, accountVersion, callId, type, at, data } = event;
    const next = position + index + 1;
    return { lane, position: next, accountId, accountVersion, callId, type, at, data };
  });
  const heads = events.map(({ hash }) => hash);
  const to = { lane, position: position + events.length, head: hashBatch(head, heads) };
  return { from: end, to, events: stored };
}
