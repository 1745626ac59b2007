import { PLANTED_BUGS } from './planted-bugs.js';
import { simulate } from './simulation.js';
export async function plant(n: number) {
  for (const { bug, planting } of PLANTED_BUGS) {
    let hits = 0, first = 0, reason = '';
    for (let seed = 1; seed <= n; seed += 1) {
      const o = await simulate(seed, { planting });
      if (!o.passed) { hits += 1; if (!first) { first = seed; reason = o.reason.slice(0, 110); } }
    }
    console.log(`${hits}/${n} first ${first} ${bug}: ${reason}`);
  }
}
