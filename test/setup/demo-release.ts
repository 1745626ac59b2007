import path from 'node:path';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { migrate } from '#database/migrate.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { writeDemoRelease } from '#popularity/demo/demo-release.js';
import { importRelease } from '#popularity/import-release.js';

/** Migrates a database and gives it the demo's data, written into `folder` first. */
export async function importDemoRelease(url: string, folder: string): Promise<void> {
  await migrate(url);
  const pool = openDatabase({ url, applicationName: 'demo release' });
  const clock = { now: () => Date.now() };
  const stream = new SystemStream(new PostgresEventLog(pool));
  const release = path.join(folder, 'release');
  await writeDemoRelease(release, '2026-10-01');
  await importRelease({ pool, stream, windows: new Calendar('UTC'), clock }, release);
  await pool.end();
}
