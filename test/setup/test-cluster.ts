import pg from 'pg';
import { distribute } from '#database/cluster/distribute.js';
import { workersOf, type ServerAddress } from '../../bench/join-cluster.js';

/** Shards of a test's database: groups are shards, and there are at least eight groups. */
const SHARDS = 8;

export async function distributeTest(url: string): Promise<void> {
  await withClient(url, (client) => distribute(client, { shards: SHARDS }));
}

/** The workers of the cluster that a test's database is one of; none on a plain PostgreSQL. */
export async function workersAt(url: string): Promise<readonly ServerAddress[]> {
  return withClient(url, workersOf);
}

/**
 * Splits the shard of a group of lanes between two of them, so that its halves lie apart. Writes
 * wait meanwhile: copied beside them, a split of Citus 13.2 never ends while rows are updated.
 */
export async function splitShardOf(client: pg.Client, lanes: readonly number[]): Promise<void> {
  const { rows } = await client.query<{ shard: string; point: string; nodes: number[] }>(
    `with hashed as (
       select get_shard_id_for_distribution_column('event', lane) as shard,
              worker_hash(lane) as hash from unnest($1::int2[]) as lane)
     select shard::text, percentile_disc(0.5) within group (order by hash)::text as point,
            (select array_agg(nodeid order by nodeid) from pg_dist_node where groupid > 0) as nodes
       from hashed group by shard`,
    [lanes],
  );
  const [only, ...others] = rows;
  if (only === undefined || others.length > 0) throw new Error('The lanes are of one shard.');
  await client.query(
    `select citus_split_shard_by_split_points($1, array[$2], $3::int[], 'block_writes')`,
    [only.shard, only.point, only.nodes.slice(0, 2)],
  );
}

/** Moves the shard of a group of lanes, with all that lies beside it, to another server. */
export async function moveShardOf(
  client: pg.Client,
  lanes: readonly number[],
  mode: 'force_logical' | 'block_writes' = 'force_logical',
): Promise<void> {
  await client.query(
    `select citus_move_shard_placement(shardid, nodeid, other, '${mode}')
       from (select get_shard_id_for_distribution_column('event', $1::int2) as shardid) s
       join pg_dist_placement using (shardid)
       join pg_dist_node n using (groupid)
       cross join lateral (
         select nodeid as other from pg_dist_node o
          where o.groupid > 0 and o.groupid <> n.groupid order by nodeid limit 1) o`,
    [lanes[0]],
  );
}

/** Leaves a server without shards, as one that was just added. Writes wait meanwhile. */
export async function emptyNode(client: pg.Client, { host, port }: ServerAddress): Promise<void> {
  const node = [host, port];
  await client.query(
    `select citus_drain_node($1, $2, shard_transfer_mode => 'block_writes')`,
    node,
  );
  await client.query(`select citus_set_node_property($1, $2, 'shouldhaveshards', true)`, node);
}

async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
