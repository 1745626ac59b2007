import type pg from 'pg';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import type { StoredEvent } from '#event-log/event-log.js';
import type { NewDelivery } from './delivery.js';

/** The event that a delivery is of; undefined: no event made it. */
export async function deliveredEvent(
  pool: pg.Pool,
  { lane, position }: Pick<NewDelivery, 'lane' | 'position'>,
): Promise<StoredEvent | undefined> {
  if (lane === null || position === null) return undefined;
  const { rows } = await pool.query<EventRow>({
    name: 'delivery-event',
    text: `select ${EVENT_COLUMNS} from event e where e.lane = $1 and e.position = $2`,
    values: [lane, position],
  });
  const [row] = rows;
  if (row === undefined) throw new Error(`Lane ${lane} holds no event ${position}.`);
  return toStoredEvent(row);
}
