import type { EventLog, LaneEnd, NewEvent } from '#event-log/event-log.js';
import { laneOf, SYSTEM_LANE } from '#event-log/event-log.js';

/** Where one lane stands. */
export async function endOf(log: EventLog, lane: number): Promise<LaneEnd> {
  const [end] = await log.ends([lane]);
  if (end === undefined) throw new Error(`There is no lane ${lane}.`);
  return end;
}

/** So many lanes of accounts that one append may write, in ascending order. */
export function groupOf({ groups }: EventLog, count: number): number[] {
  const group = groups.find((lanes) => !lanes.includes(SYSTEM_LANE) && lanes.length >= count);
  if (group === undefined) throw new Error(`No group has ${count} lanes of accounts.`);
  return group.slice(0, count);
}

/** Appends lists of events, one list for each lane, which must all be written at once. */
export async function appendAll(
  log: EventLog,
  lists: readonly (readonly NewEvent[])[],
): Promise<LaneEnd[]> {
  const written: LaneEnd[] = [];
  for (const own of byGroup(log, lists)) {
    const appends = await Promise.all(
      own.map(async (events) => ({ end: await endOf(log, laneOfAll(events)), events })),
    );
    const ends = await log.append(appends);
    if (ends.length !== own.length) throw new Error('A lane was moved by somebody else.');
    written.push(...ends);
  }
  return written;
}

/**
 * Appends like a process that has competitors: lanes that were moved meanwhile are tried again
 * where they stand now, until everything is written. Answers how often a lane had to be retried.
 */
export async function appendAgainst(
  log: EventLog,
  lists: readonly (readonly NewEvent[])[],
): Promise<number> {
  let retries = 0;
  for (const own of byGroup(log, lists)) {
    const left = new Map(own.map((events) => [laneOfAll(events), events]));
    while (left.size > 0) {
      const ends = await log.ends([...left.keys()]);
      // The order of the caller's lanes is kept: writers name the same lanes in different orders.
      const appends = [...left].map(([lane, events]) => ({ end: find(ends, lane), events }));
      for (const { lane } of await log.append(appends)) left.delete(lane);
      retries += left.size;
    }
  }
  return retries;
}

/** Lists of events of one group of lanes each: an append takes no others together. */
function byGroup(
  { groups }: EventLog,
  lists: readonly (readonly NewEvent[])[],
): (readonly NewEvent[])[][] {
  return groups
    .map((group) => lists.filter((events) => group.includes(laneOfAll(events))))
    .filter(({ length }) => length > 0);
}

/** The columns of an event that are stored. */
export function columnsOf({ hash: _hash, ...columns }: NewEvent): Omit<NewEvent, 'hash'> {
  return columns;
}

function find(ends: readonly LaneEnd[], lane: number): LaneEnd {
  const end = ends.find((candidate) => candidate.lane === lane);
  if (end === undefined) throw new Error(`There is no lane ${lane}.`);
  return end;
}

function laneOfAll(events: readonly NewEvent[]): number {
  const lanes = new Set(events.map(({ accountId }) => laneOf(accountId)));
  const [lane] = lanes;
  if (lane === undefined || lanes.size > 1) throw new Error('Events of one lane are needed.');
  return lane;
}
