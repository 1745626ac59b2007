import fc from 'fast-check';
import { Calendar } from '#calendar/calendar.js';
import { commonPlan, ordinalOfCall, windowsOf } from './fill-plan.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const PLANS = fc
  .record({
    accounts: fc.integer({ min: 1, max: 100 }),
    calls: fc.integer({ min: 1, max: 3_000 }),
    keys: fc.integer({ min: 1, max: 3_000 }),
    from: fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2026-06-01') }),
    spanMs: fc.integer({ min: 1_000, max: 120 * 86_400_000 }),
    zone: fc.constantFrom('UTC', 'Europe/Berlin', 'Pacific/Apia'),
  })
  .map(({ spanMs, ...plan }) => ({ ...plan, to: plan.from + spanMs }));

test('the windows of a plan follow each other from its beginning to its end', () => {
  fc.assert(
    fc.property(PLANS, (plan) => {
      const windows = windowsOf(plan);
      const ends = [plan.from, ...windows.map(({ to }) => to)];
      expect(ends.slice(0, -1)).toEqual(windows.map(({ from }) => from));
      expect(ends.at(-1)).toBe(plan.to);
      const calendar = new Calendar(plan.zone);
      for (const { label, from, to } of windows) {
        expect([calendar.windowAt(from).label, calendar.windowAt(to - 1).label]).toEqual([
          label,
          label,
        ]);
      }
    }),
  );
});

test('each account makes all its calls, as many in each window as in another, or one more', () => {
  fc.assert(
    fc.property(PLANS, (plan) => {
      const calls = windowsOf(plan).map((window) => window.calls);
      expect(calls.reduce((sum, count) => sum + count, 0)).toBe(plan.calls);
      expect(Math.max(...calls) - Math.min(...calls)).toBeLessThanOrEqual(1);
    }),
  );
});

test('the calls of a window open its keys one after the other, and repeat only what is open', () => {
  fc.assert(
    fc.property(PLANS, (plan) => {
      for (const window of windowsOf(plan)) {
        let opened = 0;
        for (let call = 0; call < window.calls; call += 1) {
          const ordinal = ordinalOfCall(window, call);
          if (ordinal > opened) throw new Error(`${ordinal} is not open: ${opened} are.`);
          if (ordinal === opened) opened += 1;
        }
        expect(opened).toBe(Math.min(plan.keys, window.calls));
      }
    }),
    { numRuns: 20 },
  );
});

test('a common plan opens one key for twenty calls in the running window', () => {
  const plan = commonPlan(20_000_000, NOW);
  const windows = windowsOf(plan);
  expect(plan.accounts * plan.calls).toBe(20_000_000);
  expect(windows.map(({ label, to }) => [label, new Date(to).toISOString()])).toEqual([
    ['2026w46', '2026-11-17T00:00:00.000Z'],
    ['2026w47', '2026-11-21T12:00:00.000Z'],
  ]);
  expect(plan.accounts * (windows.at(-1)?.keys ?? 0)).toBe(1_000_000);
});

test('a common plan of more calls has no more accounts or keys', () => {
  const [plan, larger] = [commonPlan(20_000_000, NOW), commonPlan(200_000_000, NOW)];
  expect(larger).toEqual({ ...plan, calls: 20_000 });
});
