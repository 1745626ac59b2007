import type { UsageRow } from './usage-groups.js';
import { fits, keyOfWeek } from './url-series.js';
import { byUrl, compared, isByUrl, spanBefore } from './usage-rows.js';

const row = (credits: number, ...values: string[]): UsageRow => ({
  values,
  calls: 1,
  callCost: 0,
  dataCost: credits,
  credits,
});
const [W46, W47] = ['/v1/2026w46/a', '/v1/2026w47/a'];
const URL = '/v1/latest/a';

test('the span before has the same length and ends where this one begins', () => {
  expect(spanBefore({ from: '2026-11-08', to: '2026-11-15' })).toEqual({
    from: '2026-11-01',
    to: '2026-11-08',
  });
});

test.each([
  ['2026-11-01', '2026-11-15', '2026-10-01', '2026-10-15'],
  ['2026-11-01', '2026-12-01', '2026-10-01', '2026-10-31'],
  ['2026-03-01', '2026-04-01', '2026-02-01', '2026-03-01'],
  ['2026-11-01', '2026-12-02', '2026-10-01', '2026-11-01'],
])(
  'days that begin a month are compared with the month before: %s to %s',
  (from, to, ...before) => {
    const { from: first, to: end } = spanBefore({ from, to });
    expect([first, end]).toEqual(before);
  },
);

test('weeks of a URL are one row where nothing sets them apart', () => {
  expect([isByUrl(['key']), isByUrl(['kind', 'key']), isByUrl(['window', 'key'])]).toEqual([
    true,
    true,
    false,
  ]);
  expect(
    byUrl([row(5, 'base', W46), row(7, 'base', W47), row(1, 'repeat', W47)], ['kind', 'key']),
  ).toMatchObject([
    { values: ['base', URL], calls: 2, credits: 12 },
    { values: ['repeat', URL], credits: 1 },
  ]);
});

const RANGE = { from: '2026-11-17', to: '2026-11-24' };

test('days and windows are compared by their place, all else by its value', () => {
  const days = compared([row(5, '2026-11-18')], [row(3, '2026-11-11')], ['day'], RANGE);
  expect(days).toMatchObject([{ credits: 5, before: 3 }]);
  const windows = compared(
    [row(9, '2026w47', W47)],
    [row(8, '2026w46', W46)],
    ['window', 'key'],
    RANGE,
  );
  expect(windows).toMatchObject([{ before: 8 }]);
  const regions = compared([row(9, 'us'), row(1, 'gb')], [row(4, 'us')], ['region'], RANGE);
  expect(regions.map(({ before }) => before)).toEqual([4, 0]);
});

test('what only the period before has is shown with no calls, so that nothing of it is missing', () => {
  const rows = compared([row(9, 'us')], [row(4, 'us'), row(3, 'gb')], ['region'], RANGE);
  expect(rows).toMatchObject([
    { values: ['us'], credits: 9, before: 4 },
    { values: ['gb'], calls: 0, credits: 0, before: 3 },
  ]);
  const days = compared([], [row(3, '2026-11-11')], ['day'], RANGE);
  expect(days).toMatchObject([{ values: ['2026-11-18'], credits: 0, before: 3 }]);
});

test('without a span to compare with there is nothing beside a row', () => {
  expect(compared([row(5, 'us')], undefined, ['region'], RANGE)).toMatchObject([{ before: null }]);
});

test('a URL without its week fits all its weeks', () => {
  expect(fits({ dimension: 'key', value: URL }, W47)).toBe(true);
  expect(fits({ dimension: 'key', value: W46 }, W47)).toBe(false);
  expect(fits({ dimension: 'region', value: 'us' }, 'us')).toBe(true);
});

test.each([
  [W46, [], W46],
  [URL, [{ dimension: 'window', value: '2026w47' }], W47],
  [URL, [{ dimension: 'day', value: '2026-11-18' }], W47],
  [URL, [{ dimension: 'month', value: '2026-11' }], undefined],
] as const)('of %s the week is known from what stands beside it', (url, beside, key) => {
  expect(keyOfWeek(url, beside)).toBe(key);
});
