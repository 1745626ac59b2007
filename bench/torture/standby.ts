import { execFile } from 'node:child_process';
import { appendFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import pg from 'pg';
import { clusterFolder } from '#embedded-postgres/cluster.js';
import { ServerProcess, type ServerPlan } from '#embedded-postgres/server-process.js';

const STANDBY = 'standby';
const POLL_MS = 100;
const FOLLOWS_MS_MAX = 30_000;

/** A primary that runs: its owner's URL and its folder. */
export interface RunningPrimary {
  readonly url: string;
  readonly dataDir: string;
}

/**
 * Starts a copy of a primary that follows it, and waits until each commit of the primary is
 * answered only when the standby has it. `plan.dataDir` has to exist, without a cluster.
 */
export async function startStandby(
  primary: RunningPrimary,
  plan: ServerPlan,
): Promise<ServerProcess> {
  const client = new pg.Client({ connectionString: primary.url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(`alter system set wal_keep_size = '256MB'`);
    await client.query('select pg_reload_conf()');
    const { hostname, port, username, password } = new URL(primary.url);
    const target = `host=${hostname} port=${port} user=${username} password=${password}`;
    await copyCluster(client, primary.dataDir, plan, [
      `primary_conninfo = '${target} application_name=${STANDBY}'`,
      `synchronous_standby_names = ''`,
    ]);
    const standby = await ServerProcess.launch(plan);
    await client.query(`alter system set synchronous_standby_names = '${STANDBY}'`);
    await client.query('select pg_reload_conf()');
    await follows(client);
    return standby;
  } finally {
    await client.end();
  }
}

/** Resolves when the standby at this URL takes writes, on a timeline of its own. */
export async function promote(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query('select pg_promote(true, 60)');
  } finally {
    await client.end();
  }
}

/**
 * Copies the cluster of the primary that `client` is connected to as that of a standby with these
 * settings. The packages bring no `pg_basebackup`: the same by hand.
 */
export async function copyCluster(
  client: pg.Client,
  primaryDir: string,
  plan: ServerPlan,
  settings: readonly string[],
): Promise<void> {
  await client.query(`select pg_backup_start('copy', true)`);
  const cluster = clusterFolder(plan.dataDir);
  // Files that go while they are copied are made again from what was written ahead.
  await promisify(execFile)('cp', ['-a', clusterFolder(primaryDir), cluster]).catch(
    () => undefined,
  );
  const { rows } = await client.query<{ labelfile: string }>(
    'select labelfile from pg_backup_stop(false)',
  );
  const files = { backup_label: rows[0]?.labelfile ?? '', 'standby.signal': '' };
  for (const [name, text] of Object.entries(files)) {
    await writeFile(path.join(cluster, name), text, { mode: 0o600 });
    plan.runAs.give(path.join(cluster, name));
  }
  await rm(path.join(cluster, 'postmaster.pid'), { force: true });
  await appendFile(path.join(cluster, 'postgresql.auto.conf'), `${settings.join('\n')}\n`);
}

async function follows(client: pg.Client): Promise<void> {
  const until = performance.now() + FOLLOWS_MS_MAX;
  for (;;) {
    const { rowCount } = await client.query(
      `select from pg_stat_replication where sync_state = 'sync'`,
    );
    if (rowCount === 1) return;
    if (performance.now() > until) throw new Error('The standby does not follow.');
    await delay(POLL_MS);
  }
}
