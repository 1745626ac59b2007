import type pg from 'pg';
import { ALL_LANES, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import type { LanePlaces } from './places.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Events of one lane that are read at a time, so that no lane waits for another. */
const LANE_EVENTS = 200;

/** Events behind a place in the log, and the place behind the last of them. */
export interface LogPart {
  readonly events: readonly StoredEvent[];
  readonly places: LanePlaces;
}

/** The place before all events. */
export const LOG_START: LanePlaces = ALL_LANES.map(() => 0);

/**
 * At most `limit` events behind a place, those of each lane in their order. Positions are dense and
 * become visible in their order, so whoever goes on behind each place that is answered misses none.
 */
export async function readBehind(
  db: pg.Pool | pg.ClientBase,
  places: LanePlaces,
  limit: number,
): Promise<LogPart> {
  const rows = await queryByLane<EventRow>(
    db,
    ALL_LANES,
    (lane) => lane,
    (lanes) => ({
      name: 'log-behind',
      text: `select ${EVENT_COLUMNS}
             from unnest($1::bigint[], $4::int2[]) as wanted (position, lane)
            cross join lateral (
              select * from event
               where lane = wanted.lane and position > wanted.position
               order by position limit $2) e
            order by e.position - wanted.position, e.lane limit $3`,
      values: [lanes.map((lane) => places[lane]), Math.min(limit, LANE_EVENTS), limit, lanes],
    }),
  );
  const behind = ({ lane, position }: StoredEvent): number => position - (places[lane] ?? 0);
  const events = rows
    .map(toStoredEvent)
    .toSorted((one, other) => behind(one) - behind(other) || one.lane - other.lane)
    .slice(0, limit);
  const reached = [...places];
  for (const { lane, position } of events) reached[lane] = position;
  return { events, places: reached };
}
