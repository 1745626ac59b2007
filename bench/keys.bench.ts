import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { cpuSeconds } from './cpu-time.js';
import { openLoadScene, type LoadScene } from './load/load-scene.js';
import { checkCharges, recordLatencies } from './load/measured-load.js';
import { settled } from './load/settled.js';
import { startWhole } from './servers.js';
import type { Stage } from './stage.js';

const KEYS_OF_EACH = 16;
const CALLS_PER_SECOND = 1_000;
const MICROSECONDS = 1_000_000;

/** Keeps the projections where they are while it works: all calls of it are behind them. */
async function whileBehind<Result>(
  { site }: LoadScene,
  work: () => Promise<Result>,
): Promise<Result> {
  const client = await site.pool.connect();
  try {
    await client.query('begin');
    await client.query('select 1 from checkpoint for update');
    return await work();
  } finally {
    await client.query('rollback');
    client.release();
  }
}

async function record(figures: Measurements, name: string, scene: LoadScene, seconds: number) {
  const { site, load } = scene;
  const pids = site.server.processes.map(({ pid }) => pid);
  const cpu = () => pids.reduce((sum, pid) => sum + (cpuSeconds(pid) ?? Number.NaN), 0);
  const before = cpu();
  const order = { url: site.server.url, seconds, callsPerSecond: CALLS_PER_SECOND };
  const result = await load.fire(order);
  checkCharges(result);
  recordLatencies(figures, name, result);
  figures.add(`${name}, answered`, 'calls/s', result.perSecond);
  const perCall = (MICROSECONDS * (cpu() - before)) / result.answers;
  figures.add(`${name}, processor, server`, 'µs/call', perCall);
}

async function openScene(stage: Stage, name: string, checkout?: string): Promise<LoadScene> {
  const database = await stage.database();
  const server = await startWhole(stage, database, name, checkout);
  return openLoadScene(stage, server, database, KEYS_OF_EACH);
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds, against } = stage.options;
  const scenes: [string, LoadScene][] = [['', await openScene(stage, 'this')]];
  if (against !== null) scenes.push(['other build, ', await openScene(stage, 'other', against)]);
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    // The first round is for the compilers.
    const into = round === 0 ? new Measurements() : figures;
    for (const [name, scene] of scenes) {
      await record(into, `${name}projections keep up`, scene, seconds);
      await settled(scene.site.pool);
      const behind = () => record(into, `${name}projections behind`, scene, seconds);
      await whileBehind(scene, behind);
      await settled(scene.site.pool);
    }
    stage.report(`round ${round} of ${rounds}`);
  }
  return figures.series();
}

export const keysBenchmark: Benchmark = {
  name: 'keys',
  about: `${CALLS_PER_SECOND} metered GETs a second with many API keys, while projections stand still`,
  run,
};
