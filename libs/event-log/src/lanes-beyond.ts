import pg from 'pg';
import { withTransaction } from '#database/database.js';
import { OF_UNKNOWN_TYPE } from './damaged-accounts.js';
import type { Projection } from './projection.js';
import { queryAnsweringAtOnce } from './query-answering.js';

/** A lane that ends before a projection's checkpoint: the log came back older than its rows. */
export interface LaneBeyond {
  readonly lane: number;
  /** Where the checkpoint stands. */
  readonly position: number;
}

/** Lanes that end before a projection's checkpoint, of those that answer. */
export async function lanesBeyond(
  db: pg.Pool,
  { name, version }: Projection,
): Promise<readonly LaneBeyond[]> {
  const { rows } = await queryAnsweringAtOnce<LaneBeyond>(db, {
    name: 'projection-beyond',
    text: `select c.lane, c.position from lane l join checkpoint c on c.lane = l.lane
            where c.projection = $1 and c.version = $2 and c.position > l.position
              order by c.lane`,
    values: [name, version],
  });
  return rows;
}

/** Lanes in which an older program has left accounts before events that it did not know. */
export async function lanesOfUnknown(
  db: pg.Pool,
  { name, version }: Projection,
): Promise<readonly LaneBeyond[]> {
  const { rows } = await queryAnsweringAtOnce<LaneBeyond>(db, {
    name: 'projection-unknown',
    text: `select c.lane, c.position from checkpoint c
            where c.projection = $1 and c.version = $2 and exists (
                  select from damaged_account d
                   where d.projection = c.projection and d.lane = c.lane
                     and ${OF_UNKNOWN_TYPE})
            order by c.lane`,
    values: [name, version],
  });
  return rows;
}

/**
 * Removes a projection's rows of these lanes and sets their checkpoints to the beginning, so that
 * all of the lane is applied again. Rows and checkpoint go in one transaction: whoever reads rows
 * and the events after them is right before and after. Answers the lanes that no other process had
 * begun.
 */
export async function startOver(
  pool: pg.Pool,
  projection: Projection,
  beyond: readonly LaneBeyond[],
): Promise<number[]> {
  const begun: number[] = [];
  for (const each of beyond) {
    const isMine = await withTransaction(pool, (client) => clearLane(client, projection, each));
    if (isMine) begun.push(each.lane);
  }
  return begun;
}

async function clearLane(
  client: pg.ClientBase,
  { name, version, tables }: Projection,
  { lane, position }: LaneBeyond,
): Promise<boolean> {
  // The lane may have grown past the checkpoint since: the rows are not those of its events for
  // that.
  const { rowCount } = await client.query(
    `update checkpoint set position = 0
      where projection = $1 and lane = $2 and version = $3 and position = $4`,
    [name, lane, version, position],
  );
  if (rowCount !== 1) return false;
  for (const table of tables) {
    await client.query(`delete from ${pg.escapeIdentifier(table)} where lane = $1`, [lane]);
  }
  await client.query('delete from damaged_account where projection = $1 and lane = $2', [
    name,
    lane,
  ]);
  return true;
}
