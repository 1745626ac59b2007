import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { CONNECTIONS, openLoadScene, type LoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLoad } from './load/measured-load.js';
import { startSplit, startWhole } from './servers.js';
import type { Stage } from './stage.js';

/** Each has a database of its own: on a common one both would follow the log of either. */
async function openScenes(stage: Stage): Promise<{ split: LoadScene; whole: LoadScene }> {
  const splitDatabase = await stage.database();
  // Only the process that holds everything loads the demo data.
  const loader = await startWhole(stage, splitDatabase, 'loader');
  await Promise.all(loader.processes.map((child) => child.stop()));
  const split = await startSplit(stage, splitDatabase, 'split');
  const wholeDatabase = await stage.database();
  const whole = await startWhole(stage, wholeDatabase, 'whole');
  return {
    split: await openLoadScene(stage, split, splitDatabase),
    whole: await openLoadScene(stage, whole, wholeDatabase),
  };
}

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const scenes = await openScenes(stage);
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    const split = await measureLoad(scenes.split.site, scenes.split.load, { seconds });
    checkCharges(split);
    const whole = await measureLoad(scenes.whole.site, scenes.whole.load, { seconds });
    checkCharges(whole);
    const [a, b] = [split.perSecond, whole.perSecond];
    stage.report(`${Math.round(a)} calls/s split, ${Math.round(b)} in one process`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('split / one process', 'ratio', a / b, { atLeast: 0.5 });
    figures.add('split', 'calls/s', a);
    recordLoad(figures, 'split', split);
    figures.add('one process', 'calls/s', b);
    recordLoad(figures, 'one process', whole);
  }
  return figures.series();
}

export const splitBenchmark: Benchmark = {
  name: 'split',
  about: `API and accounting as two processes beside one, over ${CONNECTIONS} connections`,
  run,
};
