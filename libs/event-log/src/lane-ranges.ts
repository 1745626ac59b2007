import type pg from 'pg';
import type { StoredEvent } from './event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from './event-row.js';
import type { Wants } from './milestones.js';
import { queryByLane } from './query-by-lane.js';

/** How far one projection is to read in one lane. */
export interface LaneRange {
  readonly lane: number;
  readonly after: number;
  readonly upTo: number;
}

/** Events of these ranges by lane, then position; `wants`: those alone. */
export async function readRanges(
  client: pg.Pool | pg.ClientBase,
  ranges: readonly LaneRange[],
  wants?: Wants,
): Promise<StoredEvent[]> {
  const rows = await queryByLane<EventRow, LaneRange>(
    client,
    ranges,
    ({ lane }) => lane,
    (own) => ({
      name: `projection-read-${wants?.name ?? 'all'}`,
      text: readText(wants?.condition ?? 'true'),
      values: [
        own.map(({ lane }) => lane),
        own.map(({ after }) => after),
        own.map(({ upTo }) => upTo),
      ],
    }),
  );
  return rows.map(toStoredEvent);
}

function readText(condition: string): string {
  return `select ${EVENT_COLUMNS}
            from unnest($1::int2[], $2::int8[], $3::int8[]) as r (lane, after, up_to)
           cross join lateral (
             select * from event e
              where e.lane = r.lane and e.position > r.after and e.position <= r.up_to
                and ${condition}
              order by e.position) e
           order by e.lane, e.position`;
}

/** A projection that skipped an event would be wrong for ever, so nothing is taken on trust. */
export function checkDense(ranges: readonly LaneRange[], events: readonly StoredEvent[]): void {
  const next = new Map(ranges.map(({ lane, after }) => [lane, after + 1]));
  for (const { lane, position } of events) {
    if (next.get(lane) !== position) {
      throw new Error(`Lane ${lane} has a gap: ${position} follows ${(next.get(lane) ?? 0) - 1}.`);
    }
    next.set(lane, position + 1);
  }
}
