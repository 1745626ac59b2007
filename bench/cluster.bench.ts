import { setTimeout as delay } from 'node:timers/promises';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { Accounting } from '#deciding/accounting.js';
import { laneOf, type LaneGroups } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { AccountLoader } from '#ledger/loading/account-loader.js';
import { RATE_CARD_1 } from '#rating/rate-card.js';
import type { BareAccounting } from './accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { ClusterDatabase, command } from './cluster-database.js';
import type { Stage } from './stage.js';

const ACCOUNTS = 2_000;
const CALLS = 20_000;
/** Loops that call again after each answer. */
const CALLERS = 128;
const REFUSED_PAUSE_MS = 20;
const MOVED_SHARDS = 2;
const SWEEP_MS = 500;
/** As in service. */
const TIMEOUT_MS = 4_000;

interface Settings {
  /** A database of the coordinator. */
  readonly cluster: string;
  /** A database of a plain server of the same build. */
  readonly plain: string;
  /** Command that kills the server whose port it gets, and one that starts it. */
  readonly kill: string;
  readonly start: string;
}

function settings(): Settings | null {
  const { TEST_DATABASE_URL, PLAIN_DATABASE_URL, WORKER_KILL, WORKER_START } = process.env;
  if (TEST_DATABASE_URL === undefined || PLAIN_DATABASE_URL === undefined) return null;
  if (WORKER_KILL === undefined || WORKER_START === undefined) return null;
  return {
    cluster: TEST_DATABASE_URL,
    plain: PLAIN_DATABASE_URL,
    kill: WORKER_KILL,
    start: WORKER_START,
  };
}

/** Decides as a process does, on a database, in groups that are given. */
function startAccounting(stage: Stage, url: string, groups: LaneGroups): BareAccounting {
  const pool = openDatabase({
    url,
    applicationName: 'popindex bench',
    connectionsMax: groups.length + 6,
    statementTimeoutMs: TIMEOUT_MS,
  });
  const log = new PostgresEventLog(pool, groups);
  const calendar = new Calendar('UTC');
  const terms = { calendar, cards: [RATE_CARD_1] };
  const accounting = new Accounting({
    log,
    loader: new AccountLoader(pool),
    clock: { now: () => Date.now() },
    terms: () => terms,
    events: { onFault: () => undefined },
  });
  const sweeper = setInterval(() => accounting.giveUpLate(), SWEEP_MS);
  stage.shutdown.stop('the accounting', async () => {
    clearInterval(sweeper);
    await accounting.stop();
    await pool.end();
  });
  return { accounting, log, window: calendar.windowAt(Date.now()).label };
}

interface Made {
  readonly perSecond: number;
  readonly refused: number;
}

/** Calls again and again until `work` has ended. */
async function whileCalling(callers: Callers, work: () => Promise<unknown>): Promise<Made> {
  let [going, made, refused] = [true, 0, 0];
  const loop = async (): Promise<void> => {
    while (going) {
      try {
        await callers.call(callers.plan(1), 1);
        made += 1;
      } catch {
        refused += 1;
        await delay(REFUSED_PAUSE_MS);
      }
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

async function measure(stage: Stage, given: Settings): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const cluster = await ClusterDatabase.make(stage, given.cluster);
  const [first, second] = cluster.workers;
  if (first === undefined || second === undefined) throw new Error('Two workers are needed.');
  const plain = await ClusterDatabase.make(stage, given.plain);
  const pool = stage.pool(cluster.url, 1);
  const groups = await storedGroups(pool);
  const spread = startAccounting(stage, cluster.url, groups);
  const deciding = { plain: startAccounting(stage, plain.url, groups), spread };
  stage.report(`opening ${ACCOUNTS} accounts on each; ${groups.length} groups`);
  const there = await Callers.open(deciding.plain, ACCOUNTS);
  const here = await Callers.open(spread, ACCOUNTS);
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    const [plainly, spreadly] = [await decisionsPerSecond(there), await decisionsPerSecond(here)];
    stage.report(`${Math.round(plainly)} decisions/s, ${Math.round(spreadly)} on the cluster`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('cluster / plain', 'ratio', spreadly / plainly, { atLeast: 0.8 });
    figures.add('plain PostgreSQL', 'decisions/s', plainly);
    figures.add('cluster', 'decisions/s', spreadly);
  }
  const behind = await cluster.lanesOf(second);
  const of = (isBehind: boolean): Callers =>
    new Callers(
      spread,
      here.accounts.filter((account) => behind.has(laneOf(account)) === isBehind),
      1,
    );
  const [beside, away] = [of(false), of(true)];
  for (let round = 0; round < rounds; round += 1) {
    const both = async (): Promise<Made> => {
      let made: Made | null = null;
      await whileCalling(away, async () => {
        made = await whileCalling(beside, () => delay(seconds * 1_000));
      });
      if (made === null) throw new Error('Nothing was called.');
      return made;
    };
    const calm = await both();
    await command(given.kill, second);
    const hit = await both();
    await command(given.start, second);
    await whileCalling(here, () => delay(seconds * 1_000));
    stage.report(`${Math.round(calm.perSecond)}/s, ${Math.round(hit.perSecond)}/s beside a killed`);
    const ratio = hit.perSecond / calm.perSecond;
    figures.add('other lanes, a worker killed / calm', 'ratio', ratio, { atLeast: 0.95 });
    figures.add('other lanes, refused', 'calls', hit.refused, { atMost: 0 });
    const calmAll = await whileCalling(here, () => delay(seconds * 1_000));
    const moved = await whileCalling(here, async () => {
      await cluster.moveShards(first, second, MOVED_SHARDS);
      await cluster.moveShards(second, first, MOVED_SHARDS);
    });
    stage.report(`${Math.round(moved.perSecond)}/s while shards moved, ${moved.refused} refused`);
    figures.add('while shards move / calm', 'ratio', moved.perSecond / calmAll.perSecond);
    figures.add('while shards move, refused', 'calls', moved.refused, { atMost: 0 });
  }
  return figures.series();
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const given = settings();
  if (given !== null) return measure(stage, given);
  stage.report(
    'was not run: it needs TEST_DATABASE_URL (a database of the coordinator), PLAIN_DATABASE_URL ' +
      '(one of a plain server), and WORKER_KILL and WORKER_START (commands that get a port).',
  );
  return [];
}

export const clusterBenchmark: Benchmark = {
  name: 'cluster',
  about: 'durable decisions on a cluster beside plain PostgreSQL, a worker killed, shards moved',
  onlyNamed: true,
  run,
};
