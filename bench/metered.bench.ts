import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { CONNECTIONS, openLoadScene, REPEAT_PERCENT } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLag, recordLoad } from './load/measured-load.js';
import { startUnmetered, startWhole } from './servers.js';
import type { Stage } from './stage.js';

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const database = await stage.database();
  const whole = await startWhole(stage, database, 'metered');
  const bare = await startUnmetered(stage, database, 'unmetered');
  const { site, load } = await openLoadScene(stage, whole, database);
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    const metered = await measureLoad(site, load, { seconds });
    checkCharges(metered);
    const unmetered = await measureLoad({ ...site, server: bare }, load, { seconds });
    const [a, b] = [metered.perSecond, unmetered.perSecond];
    stage.report(`${Math.round(a)} metered calls/s, ${Math.round(b)} unmetered`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('metered / unmetered', 'ratio', a / b, { atLeast: 0.5 });
    figures.add('metered', 'calls/s', a, { atLeast: 15_000 });
    recordLoad(figures, 'metered', metered);
    recordLag(figures, metered);
    figures.add('unmetered', 'calls/s', b);
    recordLoad(figures, 'unmetered', unmetered);
  }
  return figures.series();
}

export const meteredBenchmark: Benchmark = {
  name: 'metered',
  about: `metered GETs over ${CONNECTIONS} connections, ${REPEAT_PERCENT} % repeated ones`,
  run,
};
