import type { UsageView } from '#projections/views/account-reads.js';
import { savingsOf, type MeasureName, type MonthSums } from './savings-of.js';

const URL = '/cat1/trends/top5/popindex/us/beauty';
const key = (window: string): string => `/v1/${window}${URL}`;

function sum(part: Partial<UsageView>, calls: number, credits: number): UsageView {
  return { calls, call_cost: 0, data_cost: 0, credits_used: credits, ...part };
}

const SUMS: MonthSums = {
  byWindow: [
    sum({ window: '2026w46', key: key('2026w46'), kind: 'base' }, 1, 35),
    sum({ window: '2026w46', key: key('2026w46'), kind: 'repeat' }, 3, 30),
    sum({ window: '2026w47', key: key('2026w47'), kind: 'base' }, 1, 35),
  ],
  byDay: [
    sum({ day: '2026-11-10', key: key('2026w46'), kind: 'base' }, 1, 35),
    sum({ day: '2026-11-10', key: key('2026w46'), kind: 'repeat' }, 1, 10),
    sum({ day: '2026-11-11', key: key('2026w46'), kind: 'repeat' }, 2, 20),
  ],
  called: new Set([key('2026w46'), key('2026w47')]),
  releaseOf: new Map([
    ['2026w45', 'r1'],
    ['2026w46', 'r1'],
    ['2026w47', 'r1'],
  ]),
  windowBefore: (label) => `2026w${Number(label.slice(5)) - 1}`,
};

function saved(measure: MeasureName, changes: Partial<MonthSums> = {}) {
  const found = savingsOf({ ...SUMS, ...changes }).find((one) => one.measure === measure);
  return [found?.calls, found?.credits, found?.keys.map((one) => one.key)];
}

test('a cache would have saved every repeat', () => {
  expect(saved('caching')).toEqual([3, 30, [key('2026w46')]]);
});

test('a conditional request costs a repeat, too: it saves no credits', () => {
  expect(saved('conditional_requests')).toEqual([3, 0, [key('2026w46')]]);
});

test('a first call for data of the same release could have been left out', () => {
  expect(saved('credits_max')).toEqual([1, 35, [key('2026w47')]]);
});

test.each([
  [
    'another release',
    {
      releaseOf: new Map([
        ['2026w46', 'r1'],
        ['2026w47', 'r2'],
      ]),
    },
  ],
  ['an unknown release', { releaseOf: new Map<string, string>() }],
  ['a URL that was not called in the week before', { called: new Set([key('2026w47')]) }],
])('of %s none could have been', (_, changes) => {
  expect(saved('credits_max', changes)).toEqual([0, 0, []]);
});

test('repeats beyond one call a day could have been left out', () => {
  // The one of the day of the first call, and one of the two on the day after it.
  expect(saved('fewer_repeats')).toEqual([2, 20, [key('2026w46')]]);
});
