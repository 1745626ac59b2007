import { Measurements, type Benchmark, type Goal, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { openCustomers } from './customers.js';
import { Load } from './load/load.js';
import { recordLatencies } from './load/measured-load.js';
import { sampleAnswers } from './sample-answers.js';
import { ADMIN_TOKEN, startBare, startWhole, type Server } from './servers.js';
import type { Stage } from './stage.js';

const MICROSECONDS = 1_000_000;
const CONNECTIONS = 64;
const PATHS = ['/healthz', '/v1/account'];
const GOALS: ReadonlyMap<string, Goal> = new Map([['/v1/account', { atLeast: 5_000 }]]);

interface Scene {
  readonly name: string;
  readonly server: Server;
  readonly apiKeys: readonly string[];
}

async function openScene(stage: Stage, name: string, checkout?: string): Promise<Scene> {
  const server = await startWhole(stage, await stage.database(), name, checkout);
  const apiKeys = await openCustomers(server.adminUrl, ADMIN_TOKEN, stage.options.accounts);
  return { name, server, apiKeys };
}

async function record(figures: Measurements, { name, server, apiKeys }: Scene, stage: Stage) {
  for (const path of PATHS) {
    const plan = {
      apiKeys,
      paths: Array<string>(CONNECTIONS).fill(path),
      connections: CONNECTIONS,
      repeatPercent: 100,
    };
    const load = Load.start(stage.shutdown, plan);
    const cpu = () => server.processes.reduce((sum, { pid }) => sum + (cpuSeconds(pid) ?? 0), 0);
    const before = cpu();
    const result = await load.fire({ url: server.url, seconds: stage.options.seconds });
    const series = `${name}, ${path}`;
    figures.add(
      series,
      'answers/s',
      result.perSecond,
      name === 'this' ? GOALS.get(path) : undefined,
    );
    const each = (MICROSECONDS * (cpu() - before)) / result.answers;
    figures.add(`${series}, processor, server`, 'µs/answer', each);
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
