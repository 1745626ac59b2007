import type pg from 'pg';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { openLoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLoad } from './load/measured-load.js';
import { startWhole } from './servers.js';
import type { Stage } from './stage.js';
import { walBetween, walContent, walPosition } from './wal.js';

const TABLES = ['event', 'batch'];
/** Tables that take less of the write-ahead log of a call are left out. */
const WAL_BYTES_MIN = 5;

interface Size {
  readonly events: number;
  /** By table, indexes included. */
  readonly bytes: readonly number[];
}

async function sizeOfLog(pool: pg.Pool): Promise<Size> {
  const { rows } = await pool.query<Size>(
    `select (select sum(position)::int8 from lane) as events,
            (select array_agg(pg_total_relation_size(t.name::regclass)::float8 order by t.place)
               from unnest($1::text[]) with ordinality as t (name, place)) as bytes`,
    [TABLES],
  );
  return rows[0] ?? { events: 0, bytes: [] };
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const database = await stage.database();
  const server = await startWhole(stage, database, 'metered');
  const { site, load } = await openLoadScene(stage, server, database);
  const { pool } = site;
  const figures = new Measurements();
  const start = await sizeOfLog(pool);
  for (let round = 1; round <= rounds; round += 1) {
    // So that every round meets as many pages that were not changed since a checkpoint.
    await pool.query('checkpoint');
    const from = await walPosition(pool);
    const loaded = await measureLoad(site, load, { seconds });
    checkCharges(loaded);
    const to = await walPosition(pool);
    const { answers } = loaded;
    const written = (await walBetween(pool, from, to)) / answers;
    const { fullPageBytes, tables } = await walContent(pool, from, to);
    const pages = fullPageBytes / answers;
    stage.report(`${answers} calls, ${Math.round(written)} bytes of WAL each`);
    figures.add('WAL of a call without full pages', 'bytes', written - pages, { atMost: 720 });
    for (const { table, bytes } of tables) {
      if (bytes / answers >= WAL_BYTES_MIN) figures.add(`of it ${table}`, 'bytes', bytes / answers);
    }
    figures.add('WAL of a call, full pages', 'bytes', pages);
    figures.add('WAL of a call', 'bytes', written);
    recordLoad(figures, 'calls', loaded);
  }
  const end = await sizeOfLog(pool);
  const calls = end.events - start.events;
  const perCall = end.bytes.map((bytes, index) => (bytes - (start.bytes[index] ?? 0)) / calls);
  const all = perCall.reduce((sum, bytes) => sum + bytes, 0);
  figures.add('log of a call', 'bytes', all, { atMost: 520 });
  TABLES.forEach((name, index) =>
    figures.add(`log of a call, ${name}`, 'bytes', perCall[index] ?? 0),
  );
  figures.add('calls', 'calls', calls);
  return figures.series();
}

export const bytesBenchmark: Benchmark = {
  name: 'bytes',
  about: 'what a metered GET leaves in PostgreSQL: rows and indexes of the log, and WAL of it all',
  run,
};
