import { monthBars, windowBars } from './outlook-bars.js';
import type { Usage } from '../../rest/answers.js';

const spent = (day: string, credits: number): Usage => ({
  day,
  calls: 1,
  call_cost: 0,
  data_cost: credits,
  credits_used: credits,
});
const EXPECTED = [
  { day: '2026-11-23', window: '2026w47', credits: 5 },
  { day: '2026-11-24', window: '2026w48', credits: 100 },
  { day: '2026-12-01', window: '2026w49', credits: 100 },
];

test('a month adds up day by day: what was spent, and from today on what is expected', () => {
  const sums = [spent('2026-10-31', 7), spent('2026-11-03', 50), spent('2026-11-23', 10)];
  const bars = monthBars(sums, EXPECTED, '2026-11-23');
  expect(bars).toHaveLength(30);
  const on = (day: string) => bars.find((bar) => bar.day === day);
  expect(on('2026-11-02')).toMatchObject({ spent: 0, expected: 0 });
  expect(on('2026-11-22')).toMatchObject({ name: '22 Nov', spent: 50, expected: 0 });
  expect(on('2026-11-23')).toMatchObject({ spent: 60, expected: 5 });
  expect(on('2026-11-24')).toMatchObject({ spent: 0, expected: 165 });
  expect(on('2026-11-30')).toMatchObject({ spent: 0, expected: 165 });
});

test('the running window has a rest to come, and the next one is all to come', () => {
  const running = { window: '2026w47', name: '17 Nov', base: 50, repeat: 10, repeats: 1 };
  expect(windowBars([running], EXPECTED)).toEqual([
    { ...running, expected: 5 },
    { window: '2026w48', name: '24 Nov', base: 0, repeat: 0, repeats: 0, expected: 100 },
  ]);
});

test('a window without calls is one with nothing, so that a gap shows', () => {
  const calls = { name: '', base: 50, repeat: 10, repeats: 1 };
  const windows = [
    { ...calls, window: '2025w51' },
    { ...calls, window: '2026w02' },
  ];
  const expected = [
    { day: '2026-01-06', window: '2026w02', credits: 5 },
    { day: '2026-01-13', window: '2026w03', credits: 100 },
  ];
  const bars = windowBars(windows, expected);
  expect(bars.map(({ window, name, base }) => [window, name, base])).toEqual([
    ['2025w51', '16 Dec', 50],
    ['2025w52', '23 Dec', 0],
    ['2026w01', '30 Dec', 0],
    ['2026w02', '6 Jan', 50],
    ['2026w03', '13 Jan', 0],
  ]);
});

test('an account that has never called has two windows without anything', () => {
  expect(
    windowBars(
      [],
      EXPECTED.map((day) => ({ ...day, credits: 0 })),
    ),
  ).toHaveLength(2);
  expect(windowBars([], [])).toEqual([]);
});
