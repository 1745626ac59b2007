import { Measurements, type Benchmark, type Goal, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { openCustomers } from './customers.js';
import { Load } from './load/load.js';
import { recordLatencies } from './load/measured-load.js';
import { sampleAnswers } from './sample-answers.js';
import { ADMIN_TOKEN, startBare, startWhole, type Server } from './servers.js';
import type { BenchmarkDatabase, Stage } from './stage.js';

const MICROSECONDS = 1_000_000;
const CONNECTIONS = 64;
const PATHS = ['/healthz', '/v1/account'];
const GOALS: ReadonlyMap<string, Goal> = new Map([['/v1/account', { atLeast: 5_000 }]]);

interface Scene {
  readonly name: string;
  readonly server: Server;
  /** Absent where it has none. */
  readonly database?: BenchmarkDatabase;
  readonly apiKeys: readonly string[];
}

async function openScene(stage: Stage, name: string, checkout?: string): Promise<Scene> {
  const database = await stage.database();
  const server = await startWhole(stage, database, name, checkout);
  const apiKeys = await openCustomers(server.adminUrl, ADMIN_TOKEN, stage.options.accounts);
  return { name, server, database, apiKeys };
}

/** Processor time so far, in seconds: of the processes of a service, and of its database. */
function cpuOf({ server, database }: Scene): {
  readonly server: number;
  readonly database: number;
} {
  const own = server.processes.reduce((sum, { pid }) => sum + (cpuSeconds(pid) ?? 0), 0);
  return { server: own, database: database === undefined ? 0 : (cpuSeconds(database.pid) ?? 0) };
}

async function record(figures: Measurements, scene: Scene, stage: Stage) {
  const { name, server, apiKeys } = scene;
  for (const path of PATHS) {
    const plan = {
      apiKeys,
      paths: Array<string>(CONNECTIONS).fill(path),
      connections: CONNECTIONS,
      repeatPercent: 100,
    };
    const load = Load.start(stage.shutdown, plan);
    const before = cpuOf(scene);
    const result = await load.fire({ url: server.url, seconds: stage.options.seconds });
    const series = `${name}, ${path}`;
    figures.add(
      series,
      'answers/s',
      result.perSecond,
      name === 'this' ? GOALS.get(path) : undefined,
    );
    const after = cpuOf(scene);
    for (const part of ['server', 'database'] as const) {
      const each = (MICROSECONDS * (after[part] - before[part])) / result.answers;
      figures.add(`${series}, processor, ${part}`, 'µs/answer', each);
    }
    recordLatencies(figures, series, result);
  }
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, against } = stage.options;
  const own = await openScene(stage, 'this');
  const scenes = [own];
  if (against !== null) scenes.push(await openScene(stage, 'other build', against));
  const [apiKey = ''] = own.apiKeys;
  const answers = await sampleAnswers(own.server.url, apiKey, ['/healthz']);
  scenes.push({ name: 'bare', server: await startBare(stage, answers), apiKeys: own.apiKeys });
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    // The first round is for the compilers.
    const into = round === 0 ? new Measurements() : figures;
    for (const scene of scenes) await record(into, scene, stage);
    stage.report(`round ${round} of ${rounds}`);
  }
  return figures.series();
}

export const freeBenchmark: Benchmark = {
  name: 'free',
  about: `GET ${PATHS.join(' and ')} over ${CONNECTIONS} connections, beside bare node:http`,
  run,
};
