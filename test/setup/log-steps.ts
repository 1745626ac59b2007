import type { EventLog, LaneEnd, NewEvent } from '#event-log/event-log.js';
import { laneOf } from '#event-log/event-log.js';

/** Where one lane stands. */
export async function endOf(log: EventLog, lane: number): Promise<LaneEnd> {
  const [end] = await log.ends([lane]);
  if (end === undefined) throw new Error(`There is no lane ${lane}.`);
  return end;
}

/** Appends lists of events, one list for each lane, which must all be written at once. */
export async function appendAll(
  log: EventLog,
  lists: readonly (readonly NewEvent[])[],
): Promise<LaneEnd[]> {
  const appends = await Promise.all(
    lists.map(async (events) => ({ end: await endOf(log, laneOfAll(events)), events })),
  );
  const ends = await log.append(appends);
  if (ends.length !== lists.length) throw new Error('A lane was moved by somebody else.');
  return ends;
}

/**
 * Appends like a process that has competitors: lanes that were moved meanwhile are tried again
 * where they stand now, until everything is written. Answers how often a lane had to be retried.
 */
export async function appendAgainst(
  log: EventLog,
  lists: readonly (readonly NewEvent[])[],
): Promise<number> {
  const left = new Map(lists.map((events) => [laneOfAll(events), events]));
  let retries = 0;
  while (left.size > 0) {
    const ends = await log.ends([...left.keys()]);
    // The order of the caller's lanes is kept: writers name the same lanes in different orders.
    const appends = [...left].map(([lane, events]) => ({ end: find(ends, lane), events }));
    for (const { lane } of await log.append(appends)) left.delete(lane);
    retries += left.size;
  }
  return retries;
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
