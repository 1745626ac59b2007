import { availableParallelism } from 'node:os';
import { simulate } from './simulation.js';
export async function main(args: readonly string[]): Promise<number> {
  process.on('unhandledRejection', (error) => console.log('UNHANDLED', String(error)));
  const from = Number(args[0] ?? 1);
  const n = Number(args[1] ?? 10);
  if (args[2] === 'trace') {
    await simulate(from, { trace: (line) => process.stdout.write(`${line}\n`) });
    return 0;
  }
  const started = Date.now();
  let steps = 0,
    events = 0,
    actions = 0;
  const reasons = new Map<string, number[]>();
  for (let seed = from; seed < from + n; seed += 1) {
    const outcome = await simulate(seed);
    steps += outcome.steps;
    actions += outcome.actions;
    if (outcome.passed) events += outcome.events;
    else {
      const key = outcome.reason.replace(/[0-9a-f]{4,}/g, '#').slice(0, 60);
      reasons.set(key, [...(reasons.get(key) ?? []), seed]);
    }
  }
  const s = (Date.now() - started) / 1000;
  console.log({
    cores: availableParallelism(),
    n,
    s,
    steps: steps / n,
    events: events / n,
    actions: actions / n,
  });
  for (const [k, v] of reasons) console.log(v.length, v.slice(0, 5).join(','), k);
  return 0;
}
