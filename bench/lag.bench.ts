import { Measurements, type Benchmark, type Series } from './benchmark.js';
import { openLoadScene } from './load/load-scene.js';
import { checkCharges, measureLoad, recordLoad } from './load/measured-load.js';
import { startWhole } from './servers.js';
import type { Stage } from './stage.js';

const CALLS_PER_SECOND = 8_000;
/** Calls due in the last moment are answered after it. */
const SUSTAINED = 0.99;

/** Sustained: the seconds of all rounds in one go. */
async function run(stage: Stage): Promise<readonly Series[]> {
  const { rounds, seconds } = stage.options;
  const database = await stage.database();
  const server = await startWhole(stage, database, 'metered');
  const { site, load } = await openLoadScene(stage, server, database);
  const callsPerSecond = CALLS_PER_SECOND;
  await measureLoad(site, load, { seconds, callsPerSecond });
  const round = await measureLoad(site, load, { seconds: rounds * seconds, callsPerSecond });
  checkCharges(round);
  const figures = new Measurements();
  const { perSecond, lag } = round;
  figures.add('calls answered', 'calls/s', perSecond, { atLeast: SUSTAINED * CALLS_PER_SECOND });
  figures.add('projections behind, p99', 'ms', lag.p99Ms, { atMost: 500 });
  figures.add('projections behind, at most', 'ms', lag.maxMs);
  figures.add('times it was looked at', 'samples', lag.samples);
  figures.add('projections caught up after', 's', round.behindSeconds);
  recordLoad(figures, 'calls', round);
  return figures.series();
}

export const lagBenchmark: Benchmark = {
  name: 'lag',
  about: `how far projections are behind the log at ${CALLS_PER_SECOND} metered GETs a second`,
  run,
};
