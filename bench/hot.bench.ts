import { DECIDING_CONNECTIONS, startAccounting } from './accounting.js';
import { Callers } from './append-calls.js';
import { Measurements, type Benchmark, type Series } from './benchmark.js';
import type { Stage } from './stage.js';
import { recordTimed, timed } from './timed.js';

const ACCOUNTS = 10_000;
const CALLS = 50_000;

async function run(stage: Stage): Promise<readonly Series[]> {
  const { url, pid } = await stage.database();
  const deciding = await startAccounting(stage, stage.pool(url, DECIDING_CONNECTIONS));
  stage.report(`opening ${ACCOUNTS} accounts, and one`);
  const many = await Callers.open(deciding, ACCOUNTS);
  const hot = await Callers.open(deciding, 1);
  const figures = new Measurements();
  for (let round = 0; round <= stage.options.rounds; round += 1) {
    const [hotCalls, manyCalls] = [hot.plan(CALLS), many.plan(CALLS)];
    const one = await timed(CALLS, pid, () => hot.call(hotCalls));
    const all = await timed(CALLS, pid, () => many.call(manyCalls));
    stage.report(`${Math.round(one.perSecond)} decisions/s of one account`);
    // The first round is for the compilers.
    if (round === 0) continue;
    figures.add('one account / many', 'ratio', one.perSecond / all.perSecond, { atLeast: 0.7 });
    recordTimed(figures, 'one account', 'decision', one);
    recordTimed(figures, 'many accounts', 'decision', all);
  }
  return figures.series();
}

export const hotBenchmark: Benchmark = {
  name: 'hot',
  about: `durable decisions for one account that makes all calls beside ${ACCOUNTS} that share them`,
  run,
};
