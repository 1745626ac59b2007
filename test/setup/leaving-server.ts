import pg from 'pg';
import { LANE_GROUPS, laneGroups } from '#event-log/event-log.js';
import { urlNaming } from '../../bench/join-cluster.js';
import { LanesAway } from './lanes-away.js';
import { TcpProxy } from './tcp-proxy.js';
import type { TestDatabase } from './test-database.js';

/** `refuse`: as one that was killed; `silence`: it accepts, and never answers. */
export type Leave = 'refuse' | 'silence';

/** A server that can be taken away with its lanes, none of which is lane 0. */
export interface LeavingServer {
  /** Of the database, for the service: names the servers of a cluster that hold lanes, too. */
  readonly url: string;
  readonly lanes: readonly number[];
  /** Whether it is a server of its own, with connections of its own. */
  readonly isReal: boolean;
  /** `whom`: it is away only for connections of programs whose name contains this. */
  leave(how: Leave, whom?: string): Promise<void>;
  comeBack(): Promise<void>;
  end(): Promise<void>;
}

interface Node {
  readonly id: number;
  readonly port: number;
  readonly lanes: readonly number[];
}

/**
 * A server of the cluster that the tests were given, behind a proxy; on a plain PostgreSQL rows of
 * half of the lanes fail as if they were on another server.
 */
export async function leavingServer(database: TestDatabase): Promise<LeavingServer> {
  const client = new pg.Client({ connectionString: database.url });
  await client.connect();
  try {
    const nodes = await nodesOf(client);
    const node = nodes.find(({ lanes }) => !lanes.includes(0));
    if (node === undefined) return await plainServer(database);
    const others = nodes.filter((each) => each !== node);
    return await clusterServer(database, client, node, others);
  } finally {
    await client.end();
  }
}

/** The servers of the cluster with the lanes of each; none on a plain PostgreSQL. */
async function nodesOf(client: pg.Client): Promise<readonly Node[]> {
  const known = await client.query(`select from pg_extension where extname = 'citus'`);
  if (known.rowCount === 0) return [];
  const { rows } = await client.query<Node>(
    `select n.nodeid as id, n.nodeport as port, array_agg(lane order by lane) as lanes
       from generate_series(0, 64) as lane
       join pg_dist_placement p
         on p.shardid = get_shard_id_for_distribution_column('event', lane::int2)
       join pg_dist_node n on n.groupid = p.groupid and n.noderole = 'primary'
      group by n.nodeid, n.nodeport`,
  );
  return rows;
}

async function plainServer(database: TestDatabase): Promise<LeavingServer> {
  const lanes = laneGroups(LANE_GROUPS)
    .slice(LANE_GROUPS / 2)
    .flat();
  const away = await LanesAway.prepare(database);
  return {
    url: away.url,
    lanes,
    isReal: false,
    leave: (how) => away.set(lanes, how === 'refuse' ? 'fail' : 'hang'),
    comeBack: () => away.set([]),
    end: () => away.end(),
  };
}

async function clusterServer(
  database: TestDatabase,
  client: pg.Client,
  { id, port, lanes }: Node,
  others: readonly Node[],
): Promise<LeavingServer> {
  const link = await TcpProxy.start(`tcp://127.0.0.1:${port}`);
  const { port: linked } = new URL(link.url);
  await client.query(`select citus_update_node($1, '127.0.0.1', $2)`, [id, linked]);
  const workers = [linked, ...others.map((other) => other.port)];
  const servers = workers.map((at) => `127.0.0.1:${at}`);
  return {
    url: urlNaming(database.url, [new URL(database.url).host, ...servers]),
    lanes,
    isReal: true,
    leave: async (how, whom) => link.setMode(how, 0, whom),
    comeBack: async () => {
      link.setMode('pass');
      link.cutAll();
    },
    end: () => link.stop(),
  };
}
