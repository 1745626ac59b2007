import { setTimeout as delay } from 'node:timers/promises';
import type { Binaries } from '#embedded-postgres/binaries.js';
import { AppendServers } from '#event-log/append-servers.js';
import { laneOf, type LaneGroups } from '#event-log/event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { openDatabase, type DatabaseOptions } from '#database/database.js';
import { openAccounting, type BareAccounting } from './accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { ClusterDatabase, startPlain } from './cluster-database.js';
import { programsIn } from './cluster-servers.js';
import type { Stage } from './stage.js';

const ACCOUNTS = 2_000;
const CALLS = 50_000;
/** Loops that call again some time after each answer: less than the servers could do. */
const CALLERS = 64;
const PAUSE_MS = 20;
const MOVED_SHARDS = 2;
const SWEEP_MS = 500;
/** As in service. */
const TIMEOUT_MS = 4_000;
const RECOVERED_MS_MAX = 60_000;

/** Decides in groups that are given. */
function startAccounting(stage: Stage, url: string, groups: LaneGroups): BareAccounting {
  const options: DatabaseOptions = {
    url,
    applicationName: 'popindex bench',
    connectionsMax: groups.length + 6,
    statementTimeoutMs: TIMEOUT_MS,
  };
  const pool = openDatabase(options);
  const appendServers = AppendServers.start(pool, options);
  const opened = openAccounting(pool, groups, () => undefined, appendServers);
  const { accounting } = opened;
  const sweeper = setInterval(() => accounting.giveUpLate(), SWEEP_MS);
  stage.shutdown.stop('the accounting', async () => {
    clearInterval(sweeper);
    await accounting.stop();
    await appendServers.stop();
    await pool.end();
  });
  return opened;
}

interface CallCounts {
  readonly perSecond: number;
  readonly refused: number;
}

/** Calls again and again until `work` has ended. */
async function whileCalling(callers: Callers, work: () => Promise<unknown>): Promise<CallCounts> {
  let [going, made, refused] = [true, 0, 0];
  const loop = async (): Promise<void> => {
    while (going) {
      try {
        await callers.call(callers.plan(1), 1);
        made += 1;
      } catch {
        refused += 1;
      }
      await delay(PAUSE_MS);
    }
  };
  const from = performance.now();
  const loops = Array.from({ length: CALLERS }, loop);
  await work();
  const seconds = (performance.now() - from) / 1_000;
  const before = made;
  going = false;
  await Promise.all(loops);
  return { perSecond: before / seconds, refused };
}

async function decisionsPerSecond(callers: Callers): Promise<number> {
  const calls = callers.plan(CALLS);
  const from = performance.now();
  await callers.call(calls);
  return (1_000 * CALLS) / (performance.now() - from);
}

/** Decides calls of accounts of two databases with the same groups, in turns. */
async function compare(
  stage: Stage,
  figures: Measurements,
  plain: Callers,
  spread: Callers,
): Promise<void> {
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    const [plainly, spreadly] = [await decisionsPerSecond(plain), await decisionsPerSecond(spread)];
    stage.report(`${Math.round(plainly)} decisions/s, ${Math.round(spreadly)} on the cluster`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('cluster / plain', 'ratio', spreadly / plainly, { atLeast: 0.8 });
    figures.add('plain PostgreSQL', 'decisions/s', plainly);
    figures.add('cluster', 'decisions/s', spreadly);
  }
}

/** Calls of all accounts, first calm, then with the worker without lane 0 killed at once. */
async function killWorker(
  stage: Stage,
  figures: Measurements,
  database: ClusterDatabase,
  deciding: BareAccounting,
  accounts: readonly string[],
): Promise<void> {
  const [, lost] = await database.nodes();
  const isLost = (account: string): boolean => lost.lanes.includes(laneOf(account));
  const away = new Callers(deciding, accounts.filter(isLost), 1);
  const beside = new Callers(
    deciding,
    accounts.filter((account) => !isLost(account)),
    1,
  );
  const bothWhile = async (start: () => void): Promise<readonly [CallCounts, CallCounts]> => {
    const measured = async (): Promise<void> => {
      start();
      await delay(stage.options.seconds * 1_000);
    };
    const until = measured();
    return Promise.all([whileCalling(beside, () => until), whileCalling(away, () => until)]);
  };
  const [calm] = await bothWhile(() => undefined);
  const [hit, refused] = await bothWhile(() => database.kill(lost));
  await database.startAgain(lost);
  await recovered(away);
  stage.report(
    `${Math.round(calm.perSecond)}/s calm, ${Math.round(hit.perSecond)}/s of other lanes`,
  );
  const ratio = hit.perSecond / calm.perSecond;
  figures.add('other lanes, a worker killed / calm', 'ratio', ratio, { atLeast: 0.95 });
  figures.add('other lanes, calm', 'calls/s', calm.perSecond);
  figures.add('other lanes, refused', 'calls', hit.refused, { atMost: 0 });
  figures.add('lanes of the killed worker, refused', 'calls', refused.refused);
}

async function recovered(callers: Callers): Promise<void> {
  const until = performance.now() + RECOVERED_MS_MAX;
  for (;;) {
    try {
      await callers.call(callers.plan(callers.accounts.length));
      return;
    } catch (error) {
      if (performance.now() > until) throw error;
      await delay(PAUSE_MS);
    }
  }
}

/** Calls of all accounts, first calm, then while shards move to and fro. */
async function moveShards(
  stage: Stage,
  figures: Measurements,
  database: ClusterDatabase,
  callers: Callers,
): Promise<void> {
  const calm = await whileCalling(callers, () => delay(stage.options.seconds * 1_000));
  const [one, two] = await database.nodes();
  const moved = await whileCalling(callers, async () => {
    await database.moveShards(one, two, MOVED_SHARDS);
    await database.moveShards(two, one, MOVED_SHARDS);
  });
  stage.report(`${Math.round(moved.perSecond)}/s while shards moved, ${moved.refused} refused`);
  figures.add('while shards move / calm', 'ratio', moved.perSecond / calm.perSecond);
  figures.add('while shards move, refused', 'calls', moved.refused, { atMost: 0 });
}

async function measure(stage: Stage, binaries: Binaries): Promise<readonly Series[]> {
  const folder = await stage.folder();
  const plain = await startPlain(stage, folder, binaries);
  const database = await ClusterDatabase.start(stage, folder, binaries);
  const groups = await storedGroups(stage.pool(database.url, 1));
  const deciding = startAccounting(stage, database.urlOfAll, groups);
  stage.report(`opening ${ACCOUNTS} accounts on each; ${groups.length} groups of lanes`);
  const there = await Callers.open(startAccounting(stage, plain, groups), ACCOUNTS);
  const here = await Callers.open(deciding, ACCOUNTS);
  const figures = new Measurements();
  await compare(stage, figures, there, here);
  const { rounds } = stage.options;
  for (let round = 0; round < rounds; round += 1) await moveShards(stage, figures, database, here);
  for (let round = 0; round < rounds; round += 1) {
    await killWorker(stage, figures, database, deciding, here.accounts);
  }
  return figures.series();
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { postgres } = stage.options;
  const binaries = postgres === null ? null : await programsIn(postgres);
  if (binaries !== null) return measure(stage, binaries);
  stage.report(
    'was not run: --postgres names the programs of a PostgreSQL that has the extension Citus ' +
      '(what `pg_config --bindir` prints).',
  );
  return [];
}

export const clusterBenchmark: Benchmark = {
  name: 'cluster',
  about: 'durable decisions on a cluster beside plain PostgreSQL, a worker killed, shards moved',
  onlyNamed: true,
  run,
};
