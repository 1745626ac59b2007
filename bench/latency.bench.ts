import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { openLoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLatencies, recordLoad } from './load/measured-load.js';
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
    stage.report(`${half.latencies.p50Ms.toFixed(2)} ms at ${callsPerSecond} calls/s`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('most that is answered', 'calls/s', most.perSecond);
    figures.add('half of it, due', 'calls/s', callsPerSecond);
    figures.add('half of it, answered', 'calls/s', half.perSecond);
    recordLatencies(figures, 'half of it', half);
    const { p50Ms, p99Ms } = half.sinceDue;
    figures.add('half of it, p50 since they were due', 'ms', p50Ms, { atMost: 5 });
    figures.add('half of it, p99 since they were due', 'ms', p99Ms, { atMost: 15 });
    recordLoad(figures, 'one client alone', alone, { p50: { atMost: 2 } });
  }
  return figures.series();
}

export const latencyBenchmark: Benchmark = {
  name: 'latency',
  about: 'latencies of metered GETs due at a constant rate, half of what can be answered',
  run,
};
