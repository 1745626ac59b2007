import type pg from 'pg';
import { openDatabase, withClient, withTransaction } from '#database/database.js';
import { migrate } from '#database/migrate.js';
import { BACKED_UP_TABLES, LOG_TABLES } from './backed-up-tables.js';
import { faultIn, type BackupFault } from './backup-fault.js';
import { ProgressCounter, type OnProgress } from './backup-progress.js';
import { checkFiles } from './check-backup.js';
import { removeStart, whyNotEmpty } from './emptiness.js';
import { endSignIns } from './end-sign-ins.js';
import { loadLog } from './load-log.js';
import { loadTable } from './load-table.js';
import type { Manifest } from './manifest.js';
import { addConstraints, dropConstraints } from './table-constraints.js';

export type RestoreOutcome =
  | {
      readonly outcome: 'restored';
      readonly manifest: Manifest;
      readonly seconds: number;
    }
  /** Nothing was written: something is wrong with the backup's files. */
  | { readonly outcome: 'faulty'; readonly faults: readonly BackupFault[] }
  /** Nothing was written: the database is not one to restore into. */
  | { readonly outcome: 'refused'; readonly reason: string };

/**
 * Restores a backup into an empty database of PostgreSQL 15 or newer: checks the files, migrates,
 * then loads everything in one transaction that checks every position and both chains of hashes. A
 * restore that fails or is killed leaves an empty log, and can be started again. The projections
 * are not built: whoever starts next does so. It empties the log and rebuilds its keys, so
 * `databaseUrl` is that of its owner, and `serviceUrl` that of the service. Throws when files or
 * database cannot be read, and MigrationRefusedError.
 */
export async function restoreBackup(
  databaseUrl: string,
  folder: string,
  onProgress: OnProgress = () => undefined,
  serviceUrl = databaseUrl,
): Promise<RestoreOutcome> {
  const startedAt = performance.now();
  const pool = openDatabase({
    url: databaseUrl,
    applicationName: 'popindex restore',
    connectionsMax: 1,
  });
  try {
    const reason = await withClient(pool, whyNotEmpty);
    if (reason !== undefined) return { outcome: 'refused', reason };
    const checked = await checkFiles(folder, onProgress);
    if (checked.outcome === 'faulty') return checked;
    await migrate(databaseUrl, serviceUrl);
    const failed = await load(pool, folder, checked.manifest, onProgress);
    if (failed !== undefined) return failed;
    const seconds = (performance.now() - startedAt) / 1000;
    return { outcome: 'restored', manifest: checked.manifest, seconds };
  } finally {
    await pool.end();
  }
}

/** Loads all or nothing. Answers what is wrong when it was nothing. */
async function load(
  pool: pg.Pool,
  folder: string,
  manifest: Manifest,
  onProgress: OnProgress,
): Promise<Exclude<RestoreOutcome, { outcome: 'restored' }> | undefined> {
  let reason: string | undefined;
  const fault = await faultIn(() =>
    withTransaction(pool, async (client) => {
      const tables = [...LOG_TABLES, ...BACKED_UP_TABLES];
      // Whoever else restores or starts here waits, and then finds what this one wrote.
      await client.query(`lock table ${tables.join(', ')} in access exclusive mode`);
      reason = await whyNotEmpty(client);
      if (reason === undefined) await loadAll(client, folder, manifest, onProgress);
    }),
  );
  if (fault !== undefined) return { outcome: 'faulty', faults: [fault] };
  if (reason !== undefined) return { outcome: 'refused', reason };
  // Without fresh statistics the first answers would be planned for empty tables.
  await pool.query(`analyze ${[...LOG_TABLES, ...BACKED_UP_TABLES].join(', ')}`);
  return undefined;
}

async function loadAll(
  client: pg.ClientBase,
  folder: string,
  manifest: Manifest,
  onProgress: OnProgress,
): Promise<void> {
  const { events, tables } = manifest;
  const total = tables.reduce((sum, { rows }) => sum + rows, events);
  const counter = new ProgressCounter('loading rows', 'rows', total, onProgress);
  await removeStart(client);
  // An index that is built from all rows at once costs a fraction of one that grows row by row.
  const constraints = await dropConstraints(client, ['event', 'batch']);
  await loadLog(client, folder, manifest, counter);
  for (const table of tables) await loadTable(client, folder, table, counter);
  await endSignIns(client);
  const indexing = new ProgressCounter('building indexes', 'steps', constraints.length, onProgress);
  await addConstraints(client, constraints, () => indexing.add(1));
}
