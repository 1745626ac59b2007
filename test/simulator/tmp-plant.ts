import { PLANTED_BUGS } from './planted-bugs.js';
import { simulate } from './simulation.js';
export async function plant(n: number) {
  for (const { bug, planting } of PLANTED_BUGS) {
    if (!/key|lost/.test(bug)) continue;
    let hits = 0;
    const first: number[] = [];
    let reason = '';
    for (let seed = 1; seed <= n; seed += 1) {
      const o = await simulate(seed, { planting });
      if (!o.passed) {
        hits += 1;
        first.push(seed);
        if (!reason) {
          reason = o.reason.slice(0, 110);
        }
      }
    }
    console.log(`${hits}/${n} first ${first.slice(0, 4)} ${bug}: ${reason}`);
  }
}
