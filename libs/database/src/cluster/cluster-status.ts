import type pg from 'pg';
import { isDistributed } from './distribute.js';

/** A server of a cluster that holds lanes. */
export interface ClusterNode {
  readonly host: string;
  readonly port: number;
  readonly active: boolean;
  /** Shards of the log on it, and the lanes in them. */
  readonly shards: number;
  readonly lanes: readonly number[];
  /** Of all tables that are spread by lane; null: it did not answer. */
  readonly bytes: number | null;
  /** How far the slowest of its standbys is behind, in ms; null: it has none, or did not answer. */
  readonly standby_lag_ms: number | null;
  /**
   * Transactions over several servers that it has prepared and not heard of again. The cluster ends
   * them by itself within a minute. Null: it did not answer.
   */
  readonly in_doubt: number | null;
}

export interface ClusterStatus {
  readonly version: string;
  readonly distributed: boolean;
  readonly nodes: readonly ClusterNode[];
}

/** Thrown where the database is none of a cluster; the message says what would make it one. */
export class NoClusterError extends Error {
  override readonly name = 'NoClusterError';
}

/** Throws NoClusterError without the extension, or without a server that takes shards. */
export async function requireCluster(db: pg.Pool | pg.ClientBase): Promise<void> {
  const { rows } = await db.query<{ installed: boolean }>(
    `select exists (select from pg_extension where extname = 'citus') as installed`,
  );
  if (rows[0]?.installed !== true) {
    throw new NoClusterError(
      'The database has no extension Citus. Install Citus on each server, then run in the ' +
        'database of the same name on each: create extension citus',
    );
  }
  const nodes = await db.query('select from pg_dist_node where shouldhaveshards and isactive');
  if (nodes.rowCount === 0) {
    throw new NoClusterError(
      'The coordinator knows no server that takes shards. Add each with: ' +
        `select citus_add_node('<host>', <port>)`,
    );
  }
}

/** Servers, and what lies on them. Throws NoClusterError. */
export async function clusterStatus(client: pg.ClientBase): Promise<ClusterStatus> {
  await requireCluster(client);
  const distributed = await isDistributed(client);
  const { rows } = await client.query<{ version: string }>(
    `select extversion as version from pg_extension where extname = 'citus'`,
  );
  const nodes = await client.query<Omit<ClusterNode, 'bytes' | 'standby_lag_ms' | 'in_doubt'>>(
    `with placed as (
       select p.groupid, s.shardid from pg_dist_shard s join pg_dist_placement p using (shardid)
        where $1 and s.logicalrelid = to_regclass('event')
     ), lanes as (
       select lane,
              get_shard_id_for_distribution_column(to_regclass('event'), lane::int2) as shardid
         from generate_series(0, 64) as lane where $1
     )
     select n.nodename as host, n.nodeport as port, n.isactive as active,
            count(distinct p.shardid)::int as shards,
            coalesce(array_agg(l.lane order by l.lane) filter (where l.lane is not null), '{}') as lanes
       from pg_dist_node n
       left join placed p using (groupid)
       left join lanes l using (shardid)
      where n.noderole = 'primary' and (n.shouldhaveshards or p.shardid is not null)
      group by n.nodeid, n.nodename, n.nodeport, n.isactive order by n.nodeid`,
    [distributed],
  );
  const bytes = await bytesByNode(client);
  const lags = await askWorkers(client, STANDBY_LAG);
  const inDoubt = await askWorkers(client, IN_DOUBT);
  return {
    version: rows[0]?.version ?? '',
    distributed,
    nodes: nodes.rows.map((node) => {
      const place = `${node.host}:${node.port}`;
      return {
        ...node,
        bytes: bytes.get(place) ?? null,
        standby_lag_ms: lags.get(place) ?? null,
        in_doubt: inDoubt.get(place) ?? null,
      };
    }),
  };
}

async function bytesByNode(client: pg.ClientBase): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ place: string; bytes: string }>(
    `select nodename || ':' || nodeport as place, sum(shard_size)::text as bytes
       from citus_shards where citus_table_type = 'distributed' group by 1`,
  );
  return new Map(rows.map(({ place, bytes }) => [place, Number(bytes)]));
}

const STANDBY_LAG = `
  select extract(epoch from max(coalesce(replay_lag, interval '0'))) * 1000
    from pg_stat_replication where application_name not like 'citus%'`;
/** Those that are under way are gone in a moment. */
const IN_DOUBT = `
  select count(*) from pg_prepared_xacts
   where database = current_database() and gid like 'citus\\_%' and prepared < now() - interval '1 s'`;

/** The number that a statement returns on each server; none of one that does not answer. */
async function askWorkers(
  client: pg.ClientBase,
  statement: string,
): Promise<ReadonlyMap<string, number>> {
  const { rows } = await client.query<{ place: string; result: string }>(
    `select nodename || ':' || nodeport as place, result
       from run_command_on_workers($1) where success`,
    [statement],
  );
  const known = rows.filter(({ result }) => result !== '');
  return new Map(known.map(({ place, result }) => [place, Math.round(Number(result))]));
}
