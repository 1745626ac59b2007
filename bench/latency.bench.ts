import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { openLoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLoad } from './load/measured-load.js';
import { startWhole } from './servers.js';
import type { Stage } from './stage.js';

async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const database = await stage.database();
  const server = await startWhole(stage, database, 'metered');
  const { site, load } = await openLoadScene(stage, server, database);
  const figures = new Measurements();
  for (let round = 0; round <= rounds; round += 1) {
    const most = await measureLoad(site, load, { seconds });
    const callsPerSecond = Math.floor(most.perSecond / 2);
    const half = await measureLoad(site, load, { seconds, callsPerSecond });
    const alone = await measureLoad(site, load, { seconds, connections: 1 });
    for (const each of [most, half, alone]) checkCharges(each);
    stage.report(`${half.p50Ms.toFixed(2)} ms at ${callsPerSecond} calls/s`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('most that is answered', 'calls/s', most.perSecond);
    figures.add('half of it, due', 'calls/s', callsPerSecond);
    figures.add('half of it, answered', 'calls/s', half.perSecond);
    figures.add('half of it, p50', 'ms', half.p50Ms, { atMost: 5 });
    figures.add('half of it, p99', 'ms', half.p99Ms, { atMost: 15 });
    figures.add('half of it, at most', 'ms', half.maxMs);
    figures.add('one client alone, p50', 'ms', alone.p50Ms, { atMost: 2 });
    recordLoad(figures, 'one client alone', alone);
  }
  return figures.series();
}

export const latencyBenchmark: Benchmark = {
  name: 'latency',
  about: 'latencies of metered GETs due at a constant rate, half of what can be answered',
  run,
};
