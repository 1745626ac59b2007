import fc from 'fast-check';
import { TriedLimit } from './tried-limit.js';

type MadeCall = Parameters<TriedLimit['add']>[0];

const at = (second: number): string => new Date(second * 1_000).toISOString();
const call = (key: string, kind: MadeCall['kind'], credits_used: number, second = 0): MadeCall => ({
  at: at(second),
  key,
  kind,
  credits_used,
});

function tried(limit: number, calls: readonly MadeCall[]): TriedLimit {
  const trial = new TriedLimit(limit);
  for (const one of calls) trial.add(one);
  return trial;
}

test.each([
  ['what fits the limit exactly', 45, 0, 0],
  ['a repeat beyond it', 44, 1, 10],
  ['a first call, and the repeat that is a first call then', 34, 2, 45],
])('%s', (_, limit, calls, credits) => {
  const trial = tried(limit, [call('a', 'base', 35), call('a', 'repeat', 10, 1)]);
  expect([trial.refusedCalls, trial.refusedCredits]).toEqual([calls, credits]);
  expect([trial.calls, trial.creditsUsed]).toEqual([2, 45]);
});

test('a smaller call passes after a larger one was refused, and the first refusal is named', () => {
  const trial = tried(40, [
    call('a', 'base', 35),
    call('b', 'base', 35, 1),
    call('b', 'repeat', 10, 2),
    call('a', 'repeat', 5, 3),
  ]);
  expect([trial.refusedCalls, trial.refusedCredits]).toEqual([2, 45]);
  expect(trial.firstRefusedAt).toBe(at(1));
});

test('a key that was opened before the period costs a repeat', () => {
  expect(tried(10, [call('a', 'repeat', 10)]).refusedCalls).toBe(0);
});

test('what passes never exceeds the limit, and a limit of all that was spent refuses nothing', () => {
  const made = fc.array(fc.tuple(fc.constantFrom('a', 'b', 'c'), fc.integer({ min: 10, max: 99 })));
  fc.assert(
    fc.property(made, fc.nat(500), (pairs, limit) => {
      const opened = new Set<string>();
      const calls = pairs.map(([key, base]) => {
        const kind = opened.has(key) ? 'repeat' : 'base';
        opened.add(key);
        return call(key, kind, kind === 'base' ? base : 10);
      });
      const all = calls.reduce((sum, { credits_used: credits }) => sum + credits, 0);
      const trial = tried(limit, calls);
      expect(trial.creditsUsed - trial.refusedCredits).toBeLessThanOrEqual(limit);
      expect(tried(all, calls).refusedCalls).toBe(0);
    }),
  );
});
