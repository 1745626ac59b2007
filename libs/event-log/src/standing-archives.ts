import type pg from 'pg';
import { ARCHIVES, CALLS_ARCHIVED, CALLS_BROUGHT_BACK, type Archive } from './archive-events.js';
import { SYSTEM_LANE } from './event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from './event-row.js';

/** Archives whose calls are not in the log. */
export async function standingArchives(db: pg.Pool | pg.ClientBase): Promise<readonly Archive[]> {
  const { rows } = await db.query<EventRow>({
    name: 'standing-archives',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = ${SYSTEM_LANE} and e.type in ('${CALLS_ARCHIVED}', '${CALLS_BROUGHT_BACK}')
            order by e.position`,
  });
  let all = ARCHIVES.initial();
  for (const row of rows) all = ARCHIVES.evolve(all, toStoredEvent(row));
  return all.filter(({ isBack }) => !isBack);
}
