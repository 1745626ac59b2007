import type pg from 'pg';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { Child } from './child.js';
import { cpuSeconds } from './cpu-time.js';
import { openCustomers } from './customers.js';
import { demoPaths } from './demo-paths.js';
import { Load, type LoadResult } from './load.js';
import { settled } from './settled.js';
import type { BenchmarkDatabase, Stage } from './stage.js';

const CONNECTIONS = 256;
const REPEAT_PERCENT = 90;
const ADMIN_TOKEN = 'an-admin-token-of-the-benchmark-0123456789';
const MICROSECONDS = 1_000_000;

interface Server {
  readonly name: string;
  readonly url: string;
  readonly process: Child;
}

/** What one round of load did to one server. */
interface Round extends LoadResult {
  readonly behindSeconds: number;
  readonly serverCpu: number | undefined;
  readonly databaseCpu: number | undefined;
}

function serverSettings({ url }: BenchmarkDatabase, dataDir: string): Record<string, string> {
  return {
    DATABASE_URL: url,
    DATA_DIR: dataDir,
    ADMIN_TOKEN,
    API_PORT: '0',
    ACCOUNTING_PORT: '0',
    PORTAL_PORT: '0',
    DEMO: 'true',
  };
}

async function startServer(stage: Stage, program: string, settings: Record<string, string>) {
  const process = Child.startBuilt(stage.shutdown, program, settings);
  const url = await process.printed(/Public API {3}(http\S+)[^]*Ready\./);
  return { process, url };
}

/** One round, with the processor time of everything that it led to, projections included. */
async function fire(
  stage: Stage,
  load: Load,
  server: Server,
  database: BenchmarkDatabase,
  pool: pg.Pool,
): Promise<Round> {
  const pids = [server.process.pid, database.pid];
  const before = pids.map(cpuSeconds);
  const result = await load.fire({ url: server.url, seconds: stage.options.seconds });
  const behindSeconds = await settled(pool);
  const [serverCpu, databaseCpu] = pids.map((pid, index) => {
    const [from, to] = [before[index], cpuSeconds(pid)];
    return from === undefined || to === undefined ? undefined : to - from;
  });
  stage.tell(`${server.name} ${Math.round(result.perSecond)} calls/s`);
  return { ...result, behindSeconds, serverCpu, databaseCpu };
}

function record(figures: Measurements, name: string, round: Round): void {
  const { perSecond, answers, fresh, p50Ms, p99Ms, serverCpu, databaseCpu } = round;
  figures.add(name, 'calls/s', perSecond);
  figures.add(`${name}, half of the answers within`, 'ms', p50Ms);
  figures.add(`${name}, 99 % of the answers within`, 'ms', p99Ms);
  figures.add(`${name}, asked for the first time`, '%', (100 * fresh) / answers);
  const cpus = { server: serverCpu, database: databaseCpu };
  for (const [part, seconds] of Object.entries(cpus)) {
    if (seconds === undefined) continue;
    figures.add(`${name}, processor, ${part}`, 'µs/call', (MICROSECONDS * seconds) / answers);
  }
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, accounts } = stage.options;
  const database = await stage.database();
  const settings = serverSettings(database, await stage.folder());
  const whole = await startServer(stage, 'apps/standalone/src/main.js', settings);
  const bare = await startServer(stage, 'bench/unmetered-api.js', settings);
  const [, adminUrl = ''] = /Admin REST {3}(http\S+)\/admin\/v1/.exec(whole.process.output) ?? [];
  const pool = stage.pool(database.url, 1);
  const apiKeys = await openCustomers(adminUrl, ADMIN_TOKEN, Math.min(accounts, CONNECTIONS));
  const paths = await demoPaths(pool, 1);
  const plan = { apiKeys, paths, connections: CONNECTIONS, repeatPercent: REPEAT_PERCENT };
  stage.tell(`${apiKeys.length} accounts, ${CONNECTIONS} connections, ${paths.length} paths`);
  const load = Load.start(stage.shutdown, plan);
  const [metered, unmetered] = [
    { name: 'metered', ...whole },
    { name: 'unmetered', ...bare },
  ];
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    const a = await fire(stage, load, metered, database, pool);
    const b = await fire(stage, load, unmetered, database, pool);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('metered / unmetered', 'ratio', a.perSecond / b.perSecond);
    record(figures, 'metered', a);
    figures.add('metered, projections caught up after', 's', a.behindSeconds);
    record(figures, 'unmetered', b);
  }
  return figures.series();
}

export const meteredBenchmark: Benchmark = {
  name: 'metered',
  about: `metered GETs over ${CONNECTIONS} connections, ${REPEAT_PERCENT} % repeated ones`,
  run,
};
