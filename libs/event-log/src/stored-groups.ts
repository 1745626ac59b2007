import type pg from 'pg';
import { ACCOUNT_LANES, LANE_GROUPS, laneGroups, type LaneGroups } from './event-log.js';

/**
 * Groups of the lanes as they are stored. Where a cluster holds the log they are its shards;
 * otherwise all lanes are in one place and any groups will do: `atLeast` of neighbours, as fewer
 * ones make larger appends.
 */
export async function storedGroups(pool: pg.Pool, atLeast = LANE_GROUPS): Promise<LaneGroups> {
  const { rows: known } = await pool.query<{ shards: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as shards`,
  );
  if (known[0]?.shards !== true) return laneGroups(atLeast);
  const { rows } = await pool.query<{ lanes: number[] }>(
    `select array_agg(lane order by lane) as lanes
       from generate_series(0, ${ACCOUNT_LANES}) as lane,
            get_shard_id_for_distribution_column('event', lane::int2) as shard
      where exists (select from pg_dist_partition where logicalrelid = 'event'::regclass)
      group by shard order by min(lane)`,
  );
  return rows.length === 0 ? laneGroups(atLeast) : rows.map(({ lanes }) => lanes);
}
