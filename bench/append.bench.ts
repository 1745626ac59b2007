import { DECIDING_CONNECTIONS, startAccounting, startDeciders } from './accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { createRawTable, insertRaw } from './raw-insert.js';
import type { Stage } from './stage.js';
import { recordTimed, timed, type WorkTimes } from './timed.js';
import { walBetween, walPosition } from './wal.js';
import { writtenBatches } from './written-batches.js';

const ACCOUNTS = 10_000;
const CALLS = 50_000;
const MANY_CORES = 4;
const OF_RAW = { few: 0.4, many: 0.6 } as const;

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url, pid } = await stage.database();
  const { cores, deciders } = stage.options;
  const goal = { atLeast: cores < MANY_CORES ? OF_RAW.few : OF_RAW.many };
  const connections = DECIDING_CONNECTIONS * Math.max(1, deciders);
  const pool = stage.pool(url, connections);
  await createRawTable(pool);
  const deciding = await startDeciders(stage, url, pool, deciders);
  stage.report(`opening ${ACCOUNTS} accounts for ${deciders} deciders`);
  const callers = await Callers.open(deciding, ACCOUNTS);
  const alone =
    deciders > 0 ? await startAccounting(stage, stage.pool(url, DECIDING_CONNECTIONS)) : null;
  const others = alone && (await Callers.open(alone, ACCOUNTS));
  const figures = new Measurements();
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    const ends = await deciding.log.ends();
    const from = await walPosition(pool);
    const calls = callers.plan(CALLS);
    const decided = await timed(CALLS, pid, () => callers.call(calls));
    const between = await walPosition(pool);
    const batches = await writtenBatches(pool, ends);
    const rawFrom = await walPosition(pool);
    const raw = await timed(CALLS, pid, () => insertRaw(pool, batches, connections));
    const there = others && (await inMainThread(others, pid));
    stage.report(`${Math.round(decided.perSecond)} decisions/s, ${Math.round(raw.perSecond)} raw`);
    // The first round is for the compilers.
    if (round === 0) continue;
    const ratio = decided.perSecond / raw.perSecond;
    figures.add('decisions / raw rows', 'ratio', ratio, goal);
    recordTimed(figures, 'decisions', 'row', decided);
    if (there !== null) {
      figures.add('decisions / in the main thread', 'ratio', decided.perSecond / there.perSecond);
      recordTimed(figures, 'decisions in the main thread', 'row', there);
    }
    figures.add('decisions, WAL', 'bytes/row', (await walBetween(pool, from, between)) / CALLS);
    recordTimed(figures, 'raw rows', 'row', raw);
    const rawWal = await walBetween(pool, rawFrom, await walPosition(pool));
    figures.add('raw rows, WAL', 'bytes/row', rawWal / CALLS);
    figures.add('rows of a transaction', 'rows', CALLS / batches.length);
    figures.add('deciders', 'threads', deciders);
  }
  return figures.series();
}

function inMainThread(callers: Callers, databasePid: number): Promise<WorkTimes> {
  const calls = callers.plan(CALLS);
  return timed(CALLS, databasePid, () => callers.call(calls));
}

export const appendBenchmark: Benchmark = {
  name: 'append',
  about: `durable decisions for ${ACCOUNTS} accounts beside plain inserts of the same rows`,
  run,
};
