import pg from 'pg';
import { isDistributed } from '#database/cluster/distribute.js';
import { chosenServer } from '#database/server-choice.js';
import { settleSession } from '#database/session-settings.js';

const BEGIN = 'begin isolation level repeatable read read only';

/**
 * Runs `work` with several connections that all see the database at one moment, whatever is
 * written meanwhile. A cluster has no such moment: there each statement sees what each server
 * holds, so `work` must hold on to positions of lanes. Plain clients and no pool: one that is ended
 * in the middle of a COPY cuts its connection, where the rollback of a pool would wait for the rest
 * of the COPY.
 */
export async function withSnapshot<Result>(
  url: string,
  connections: number,
  work: (clients: readonly pg.Client[]) => Promise<Result>,
): Promise<Result> {
  const server = await chosenServer(url);
  const clients = Array.from({ length: connections }, () => newClient(server));
  const [lead, ...followers] = clients;
  if (lead === undefined) throw new RangeError('A snapshot needs a connection.');
  try {
    for (const client of clients) await open(client);
    if (!(await isDistributed(lead))) await share(lead, followers);
    return await work(clients);
  } finally {
    await Promise.all(clients.map((client) => client.end()));
  }
}

function newClient(url: string): pg.Client {
  const client = new pg.Client({
    connectionString: url,
    application_name: 'popindex backup',
    connectionTimeoutMillis: 5_000,
    keepAlive: true,
  });
  // A loss also fails the query under way; unheard, the event would end the process.
  client.on('error', () => undefined);
  return client;
}

async function open(client: pg.Client): Promise<void> {
  await client.connect();
  await settleSession(client);
  await client.query('set default_transaction_read_only = on');
}

/** Gives all connections what the first one sees. */
async function share(lead: pg.Client, followers: readonly pg.Client[]): Promise<void> {
  await lead.query(BEGIN);
  const { rows } = await lead.query<{ id: string }>('select pg_export_snapshot() as id');
  const id = rows[0]?.id;
  if (id === undefined) throw new Error('The database exported no snapshot.');
  for (const follower of followers) {
    await follower.query(BEGIN);
    await follower.query(`set transaction snapshot ${follower.escapeLiteral(id)}`);
  }
}
