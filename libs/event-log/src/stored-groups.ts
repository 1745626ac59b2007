import type pg from 'pg';
import { isDistributed } from '#database/cluster/distribute.js';
import { ACCOUNT_LANES, LANE_GROUPS, laneGroups, type LaneGroups } from './event-log.js';

/**
 * Groups of the lanes as they are stored. Where a cluster holds the log they are its shards;
 * otherwise all lanes are in one place and any groups will do: `atLeast` of neighbours, as fewer
 * ones make larger appends.
 */
export async function storedGroups(
  db: pg.Pool | pg.ClientBase,
  atLeast = LANE_GROUPS,
): Promise<LaneGroups> {
  if (!(await isDistributed(db))) return laneGroups(atLeast);
  const { rows } = await db.query<{ lanes: number[] }>(
    `select array_agg(lane order by lane) as lanes
       from generate_series(0, ${ACCOUNT_LANES}) as lane,
            get_shard_id_for_distribution_column('event', lane::int2) as shard
      group by shard order by min(lane)`,
  );
  return rows.map(({ lanes }) => lanes);
}
