import { drawPlan } from './plan.js';
import { Prng } from './prng.js';
import { simulate, type SimulationOptions } from './simulation.js';

const PASSES_MAX = 3;

/**
 * The actions of a failing seed that are not needed for a failure: each is left out in turn, from
 * the last to the first, and stays out if the schedule still fails.
 */
export async function minimise(
  seed: number,
  options: SimulationOptions,
): Promise<ReadonlySet<number>> {
  const without = new Set(options.without);
  const plan = drawPlan(new Prng(seed, 1)).toReversed();
  for (let pass = 0; pass < PASSES_MAX; pass += 1) {
    const before = without.size;
    for (const { index } of plan) {
      if (without.has(index)) continue;
      without.add(index);
      const { passed } = await simulate(seed, { ...options, without });
      if (passed) without.delete(index);
    }
    if (without.size === before) break;
  }
  return without;
}
