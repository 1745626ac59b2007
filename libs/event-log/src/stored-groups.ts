import type pg from 'pg';
import { isDistributed } from '#database/cluster/distribute.js';
import { ACCOUNT_LANES, LANE_GROUPS, laneGroups, type LaneGroups } from './event-log.js';

/** Lanes of a group, and the server that holds them. */
export interface PlacedGroup {
  readonly lanes: readonly number[];
  /** A number; groups of one server go away together. */
  readonly server: number;
  /** Host and port of that server, as a cluster knows it. */
  readonly address?: string;
}

interface GroupSetting {
  readonly may_be_spread: boolean;
  /** A setting of the database has a plain PostgreSQL read as a cluster of so many shards is. */
  readonly asked: string | null;
}

const NOTHING: GroupSetting = { may_be_spread: false, asked: null };

/**
 * Groups of the lanes as they are stored. Where a cluster holds the log they are its shards;
 * otherwise all lanes are in one place and any groups will do: `atLeast` of neighbours, as fewer
 * ones make larger appends.
 */
export async function storedGroups(
  db: pg.Pool | pg.ClientBase,
  atLeast = LANE_GROUPS,
): Promise<LaneGroups> {
  return (await placedGroups(db, atLeast)).map(({ lanes }) => lanes);
}

/** The same with the server of each. */
export async function placedGroups(
  db: pg.Pool | pg.ClientBase,
  atLeast: number,
): Promise<readonly PlacedGroup[]> {
  const { rows: found } = await db.query<GroupSetting>(
    `select to_regclass('pg_dist_partition') is not null as may_be_spread,
            current_setting('popindex.lane_groups', true) as asked`,
  );
  const [{ may_be_spread: mayBeSpread, asked } = NOTHING] = found;
  if (!mayBeSpread || !(await isDistributed(db))) {
    const groups = laneGroups(Math.max(atLeast, Number(asked ?? 0)));
    return groups.map((lanes, server) => ({ lanes, server }));
  }
  const { rows } = await db.query<PlacedGroup>(
    `select array_agg(lane order by lane) as lanes, min(p.groupid)::int as server,
            min(n.nodename || ':' || n.nodeport) as address
       from generate_series(0, ${ACCOUNT_LANES}) as lane
       join pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('event', lane::int2)
       left join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      group by p.shardid order by min(lane)`,
  );
  return rows;
}
