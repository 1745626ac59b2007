import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { withTransaction } from '#database/database.js';
import { applyBatch } from '#event-log/projection-batch.js';
import { findWork } from '#event-log/projection-work.js';
import type { LaneGroups } from '#event-log/event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import type { Projection } from '#event-log/projection.js';
import { allProjections } from '#projections/projections/projections.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { fillLog } from './fill/filled-log.js';
import { beginningBefore } from './fill/fill-plan.js';
import type { Stage } from './stage.js';
import { timed } from './timed.js';
import { walBetween, walContent, walPosition } from './wal.js';

const EVENTS = 320_000;
const ACCOUNTS = 16;
/** Of an account in each of two windows: with a twentieth of its calls it asks for a new one. */
const KEYS = 500;
/** The largest parts of the write-ahead log that are shown. */
const TABLES = 5;
/** As many events as gather between two turns at 5,000 calls a second. */
const EVENTS_OF_TURN = 2_000;

/** Shows so many events more of each lane; false where all are shown. */
async function grow(pool: pg.Pool, ends: ReadonlyMap<number, number>): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: 'bench-grow',
    text: `update lane l set position = least(e.position, l.position + $3)
             from unnest($1::int2[], $2::int8[]) as e (lane, position)
            where l.lane = e.lane and l.position < e.position`,
    values: [[...ends.keys()], [...ends.values()], Math.ceil(EVENTS_OF_TURN / ends.size)],
  });
  return rowCount !== 0;
}

/** One turn of projections that want the same, as a service takes it. */
async function turn(
  pool: pg.Pool,
  projections: readonly [Projection, ...Projection[]],
  groups: LaneGroups,
): Promise<void> {
  const work = await findWork(pool, projections, groups);
  for (const projection of projections) {
    const backlog = work.get(projection.name)?.backlog ?? [];
    if (backlog.length === 0) continue;
    await withTransaction(pool, (client) => applyBatch(client, projection, backlog));
  }
}

/** Those that want the same, side by side. */
function alike(projections: readonly Projection[]): readonly [Projection, ...Projection[]][] {
  const all = new Map<string, [Projection, ...Projection[]]>();
  for (const projection of projections) {
    const { name } = projection.wants ?? projection;
    const others = all.get(name);
    if (others === undefined) all.set(name, [projection]);
    else others.push(projection);
  }
  return [...all.values()];
}

/** Ends of the lanes that hold accounts, which from now on seem to be empty. */
async function startOver(
  pool: pg.Pool,
  projections: readonly Projection[],
): Promise<ReadonlyMap<number, number>> {
  const tables = projections.flatMap((projection) => projection.tables);
  await pool.query(`truncate ${tables.join(', ')}`);
  await pool.query('update checkpoint set position = 0 where lane > 0');
  const { rows } = await pool.query<{ lane: number; position: number }>(
    'select lane, position from lane where lane > 0 and position > 0',
  );
  await pool.query('update lane set position = 0 where lane > 0');
  await pool.query('checkpoint');
  return new Map(rows.map(({ lane, position }) => [lane, position]));
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url, pid } = await stage.database();
  const now = Date.now();
  const calls = Math.ceil((stage.options.events ?? EVENTS) / ACCOUNTS);
  const plan = { accounts: ACCOUNTS, calls, keys: KEYS, zone: 'UTC', to: now };
  stage.report('filling the log');
  const events = await fillLog(url, { ...plan, from: beginningBefore('UTC', now) });
  // As the thread of the projections has them.
  const pool = stage.pool(url, 2, false);
  const groups = await storedGroups(pool, 1);
  const projections = allProjections(new Calendar(plan.zone));
  const figures = new Measurements();
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    const ends = await startOver(pool, projections);
    const from = await walPosition(pool);
    const { ownCpu, databaseCpu = Number.NaN } = await timed(events, pid, async () => {
      while (await grow(pool, ends)) {
        for (const wanting of alike(projections)) await turn(pool, wanting, groups);
      }
    });
    const to = await walPosition(pool);
    const { fullPageBytes, tables } = await walContent(pool, from, to);
    const wal = ((await walBetween(pool, from, to)) - fullPageBytes) / events;
    stage.report(`${(ownCpu + databaseCpu).toFixed(1)} µs, ${wal.toFixed(1)} bytes an event`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('processor', 'µs/event', ownCpu + databaseCpu, { atMost: 12 });
    figures.add('processor, own', 'µs/event', ownCpu);
    figures.add('processor, database', 'µs/event', databaseCpu);
    figures.add('WAL without full pages', 'bytes/event', wal, { atMost: 43 });
    for (const { table, bytes } of tables.slice(0, TABLES)) {
      figures.add(`of it ${table}`, 'bytes/event', bytes / events);
    }
  }
  figures.add('events', 'events', events);
  return figures.series();
}

export const projectionsBenchmark: Benchmark = {
  name: 'projections',
  about: 'what it takes to keep all projections up with the log, of processors and WAL',
  run,
};
