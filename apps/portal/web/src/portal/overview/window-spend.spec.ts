import { aWeekBefore, spendByDay, spendByWindow } from './window-spend.js';
import type { Usage } from '../../rest/answers.js';

function usage(part: Partial<Usage>, credits: number, calls = 1): Usage {
  return { calls, call_cost: 0, data_cost: credits, credits_used: credits, ...part };
}

const DAYS = ['2026-11-17', '2026-11-18', '2026-11-19'];

test('each day stands beside the same weekday of the window before', () => {
  const sums = [usage({ day: '2026-11-17' }, 50), usage({ day: '2026-11-10' }, 40)];
  expect(spendByDay(sums, [{ day: '2026-11-19', credits: 7 }], DAYS, '2026-11-18')).toEqual([
    { day: '2026-11-17', name: 'Tue 17', credits: 50, before: 40, expected: 0, isAhead: false },
    { day: '2026-11-18', name: 'Wed 18', credits: 0, before: 0, expected: 0, isAhead: false },
    { day: '2026-11-19', name: 'Thu 19', credits: 0, before: 0, expected: 7, isAhead: true },
  ]);
});

test('the window before is compared up to the same minute', () => {
  expect(aWeekBefore('2026-11-18T09:30:59.999Z')).toBe('2026-11-11T09:30:00.000Z');
});

test('windows hold what their base and their repeats cost, in their order', () => {
  const sums = [
    usage({ window: '2026w47', kind: 'repeat' }, 30, 3),
    usage({ window: '2026w47', kind: 'base' }, 1_760),
    usage({ window: '2026w46', kind: 'base' }, 35),
  ];
  expect(spendByWindow(sums)).toEqual([
    { window: '2026w46', name: '10 Nov', base: 35, repeat: 0, repeats: 0 },
    { window: '2026w47', name: '17 Nov', base: 1_760, repeat: 30, repeats: 3 },
  ]);
});
