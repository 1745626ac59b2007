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
