import { isLong } from '../setup/long.js';
import { minimise } from './minimise.js';
import { PLANTED_BUGS, type PlantedBug } from './planted-bugs.js';
import { simulate } from './simulation.js';

const SCHEDULES = isLong ? 800 : 200;
/** A bug that takes more schedules than this is one that the simulator does not look for. */
const SCHEDULES_TO_FIND_MAX = 4_000;
/** Bugs that few schedules meet are looked for from near the first that does. */
const RARE: Readonly<Record<string, number>> = {
  'a refusal is answered while a lost commit may still happen': 220,
  'keys are believed that were looked up beyond the known end': 1_800,
};

async function trace(seed: number): Promise<string[]> {
  const lines: string[] = [];
  await simulate(seed, { trace: (line) => lines.push(line) });
  return lines;
}

async function findFirst({ bug, planting }: PlantedBug): Promise<number | null> {
  const from = RARE[bug] ?? 1;
  for (let seed = from; seed < from + SCHEDULES_TO_FIND_MAX; seed += 1) {
    if (!(await simulate(seed, { planting })).passed) return seed;
  }
  return null;
}

describe('whatever goes wrong, in whatever order', () => {
  it('charges are right, once, and answered as they stand in the log', async () => {
    const failed: string[] = [];
    let events = 0;
    for (let seed = 1; seed <= SCHEDULES; seed += 1) {
      const outcome = await simulate(seed);
      if (outcome.passed) events += outcome.events;
      else failed.push(`node test/simulator/run.mjs --seed ${seed}: ${outcome.reason}`);
    }
    expect(failed).toEqual([]);
    expect(events).toBeGreaterThan(SCHEDULES * 10);
  }, 300_000);
});

describe('the simulator', () => {
  it('takes the same steps for the same seed', async () => {
    for (const seed of [1, 2, 3, 4, 5]) expect(await trace(seed)).toEqual(await trace(seed));
    expect(await trace(1)).not.toEqual(await trace(2));
  });

  it.each(PLANTED_BUGS)(
    'finds it when $bug',
    async (planted) => {
      expect(await findFirst(planted)).not.toBeNull();
    },
    120_000,
  );

  it('leaves out of a failing schedule what the failure does not need', async () => {
    const planted = PLANTED_BUGS.find(({ bug }) => bug === 'answers are sent before the commit');
    if (planted === undefined) throw new Error('The bug is planted no more.');
    const { planting } = planted;
    const without = await minimise(1, { planting });
    const { actions: all } = await simulate(1, { planting });
    const small = await simulate(1, { planting, without });
    expect(small.passed).toBe(false);
    expect(small.actions).toBeLessThan(all / 4);
  });
});
