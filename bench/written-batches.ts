import type pg from 'pg';
import type { LaneEnd, StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, type EventRow, toStoredEvent } from '#event-log/event-row.js';

const WRITTEN = `
select e.xmin::text as transaction, ${EVENT_COLUMNS}
  from unnest($1::int2[], $2::int8[]) as before (lane, position)
  join event e on e.lane = before.lane and e.position > before.position
 order by e.xmin::text::int8, e.lane, e.position`;

/**
 * The events after these ends of the lanes, in the transactions that wrote them. They are read
 * back because keeping them while they are written would make the writer's memory another one.
 */
export async function writtenBatches(
  pool: pg.Pool,
  before: readonly LaneEnd[],
): Promise<StoredEvent[][]> {
  const lanes = [before.map(({ lane }) => lane), before.map(({ position }) => position)];
  const { rows } = await pool.query<EventRow & { readonly transaction: string }>(WRITTEN, lanes);
  const batches = new Map<string, StoredEvent[]>();
  for (const row of rows) {
    const batch = batches.get(row.transaction) ?? [];
    batch.push(toStoredEvent(row));
    batches.set(row.transaction, batch);
  }
  return [...batches.values()];
}
