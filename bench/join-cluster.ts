import pg from 'pg';

/** A server of a cluster, by the address that the others know. */
export interface ServerAddress {
  readonly host: string;
  readonly port: number;
}

/** Makes a database one of a cluster with these workers, before or after it has tables. */
export async function joinCluster(url: string, workers: readonly ServerAddress[]): Promise<void> {
  for (const worker of workers) await query(urlAt(url, worker), 'create extension citus');
  const { hostname, port } = new URL(url);
  await query(url, 'create extension citus');
  await query(url, `select citus_set_coordinator_host('${hostname}', ${port})`);
  for (const worker of workers) {
    await query(url, `select citus_add_node('${worker.host}', ${worker.port})`);
  }
}

/** The workers of a cluster; none: the database is in none. */
export async function workersOf(client: pg.ClientBase): Promise<readonly ServerAddress[]> {
  const { rows } = await client.query<{ known: boolean }>(
    `select to_regclass('pg_dist_node') is not null as known`,
  );
  if (rows[0]?.known !== true) return [];
  const nodes = await client.query<ServerAddress>(
    `select nodename as host, nodeport as port from pg_dist_node
      where groupid > 0 and noderole = 'primary' order by groupid`,
  );
  return nodes.rows;
}

/** The same database, whose connection string names these servers (`host:port`) instead. */
export function urlNaming(url: string, servers: readonly string[]): string {
  return url.replace(/@[^/]*/, `@${servers.join(',')}`);
}

/** The same database at another server. */
export function urlAt(url: string, { host, port }: ServerAddress): string {
  const at = new URL(url);
  at.hostname = host;
  at.port = String(port);
  return at.href;
}

/** Runs one statement on a connection of its own. */
export async function query<Row extends pg.QueryResultRow>(
  url: string,
  text: string,
  values: unknown[] = [],
): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<Row>(text, values)).rows;
  } finally {
    await client.end();
  }
}
