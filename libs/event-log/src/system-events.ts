import type pg from 'pg';
import { SYSTEM_LANE } from './event-log.js';

/** An event of the system by its position, with the JSON text of its data. */
export interface SystemEventText {
  readonly position: number;
  readonly data: string;
}

/**
 * Events of the system at these positions, in their order. Its lane may lie in another place than
 * what names them, so that no join leads to it.
 */
export async function readSystemEvents(
  db: pg.Pool | pg.ClientBase,
  positions: readonly number[],
): Promise<readonly SystemEventText[]> {
  if (positions.length === 0) return [];
  const { rows } = await db.query<SystemEventText>({
    name: 'system-events-at',
    text: `select position, data::text as data from event
            where lane = ${SYSTEM_LANE} and position = any ($1::int8[]) order by position`,
    values: [positions],
  });
  return rows;
}
