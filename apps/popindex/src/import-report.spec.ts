import { importReport } from './import-report.js';

const CHECKED = {
  outcome: 'checked',
  window: '2026w48',
  counts: { categories: 1, brands: 1, relations: 1, volumes: 1 },
  rows: 1_000,
  seconds: 0.5,
  olderThan: null,
} as const;

test('an import that drops nothing of what serves warns of nothing', () => {
  expect(importReport({ ...CHECKED, dropped: null })).toBe(
    'Nothing is wrong with it; it would serve from window 2026w48 on. 1,000 rows of volumes.csv in 0.50 s, 2,000 a second.',
  );
});

test('an import of older data than that of the release which it replaces warns', () => {
  const olderThan = { release: 'r1', through: '2026-10-01' };
  expect(importReport({ ...CHECKED, dropped: null, olderThan })).toMatch(
    /\nWarning: its data is older than that of release r1, which it replaces and which reaches 2026-10-01\.$/,
  );
});

test('an import of faulty files lists what it knows of each kind, and counts all', () => {
  const month = { file: 'volumes.csv', line: 5, column: 'month', reason: '"a" is not a month' };
  const quote = { file: 'brands.csv', line: 2, column: null, reason: 'a quote stands inside' };
  const faults = [
    { ...quote, more: 0 },
    { ...month, more: 128_265 },
  ];
  const result = { outcome: 'faulty', faults, total: 128_267, rows: 0, seconds: 1 } as const;
  expect(importReport(result)).toBe(
    [
      'brands.csv:2: a quote stands inside',
      'volumes.csv:5: month: "a" is not a month, and 128,265 more',
      'Not imported: 128,267 faults.',
    ].join('\n'),
  );
});

test('an import that drops items of the release that serves says how many', () => {
  const dropped = { release: 'r7', categories: 1_234, brands: 0 };
  expect(importReport({ ...CHECKED, dropped })).toMatch(
    /\nWarning: 1,234 categories and 0 brands of release r7, which serves now, are missing from it\.$/,
  );
});
