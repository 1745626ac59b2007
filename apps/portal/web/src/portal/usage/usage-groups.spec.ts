import * as fc from 'fast-check';
import { addDays } from '../../format/days.js';
import {
  acrossWindows,
  OTHERS,
  chartOf,
  groupUsage,
  narrowDown,
  sortRows,
  stretchesOf,
} from './usage-groups.js';
import { NO_VALUE } from './url-series.js';
import type { Usage } from '../../rest/answers.js';

function usage(part: Partial<Usage>, credits = 10): Usage {
  return { calls: 1, call_cost: credits, data_cost: 0, credits_used: credits, ...part };
}

const items = [
  usage({ day: '2026-11-18', rule: 'top 5' }, 35),
  usage({ day: '2026-11-17', rule: 'top 5' }, 45),
  usage({ day: '2026-11-17', rule: 'time series' }, 1_760),
];

test('sums are put together by what they are grouped by', () => {
  expect(groupUsage(items, ['day'], [])).toMatchObject([
    { values: ['2026-11-18'], calls: 1, credits: 35 },
    { values: ['2026-11-17'], calls: 2, credits: 1_805 },
  ]);
});

test('a narrowing leaves only what has its value', () => {
  const rows = groupUsage(items, ['day'], [{ dimension: 'rule', value: 'top 5' }]);
  expect(rows.map(({ credits }) => credits)).toEqual([35, 45]);
});

test('time runs on, all else is ranked by its cost', () => {
  const byDay = sortRows(groupUsage(items, ['day'], []), ['day']);
  expect(byDay.map(({ values }) => values[0])).toEqual(['2026-11-17', '2026-11-18']);
  const byRule = sortRows(groupUsage(items, ['rule'], []), ['rule']);
  expect(byRule.map(({ values }) => values[0])).toEqual(['time series', 'top 5']);
});

const anyUsage = fc.record({
  rule: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f', 'g', 'h', 'i'),
  day: fc.constantFrom('2026-11-17', '2026-11-18', '2026-11-19'),
  credits: fc.nat(100_000),
});

test('a chart shows every credit of its rows, whatever is put together as others', () => {
  fc.assert(
    fc.property(fc.array(anyUsage, { maxLength: 60 }), (sums) => {
      const all = sums.map(({ rule, day, credits }) => usage({ rule, day }, credits));
      const { rows, series } = chartOf(groupUsage(all, ['day', 'rule'], []));
      const shown = rows.flatMap((row) => series.map((name) => Number(row[name] ?? 0)));
      const sum = (numbers: readonly number[]) => numbers.reduce((one, other) => one + other, 0);
      expect(sum(shown)).toBe(sum(sums.map(({ credits }) => credits)));
      expect(series.length).toBeLessThanOrEqual(6);
      expect(series.indexOf(OTHERS)).toBe(series.includes(OTHERS) ? series.length - 1 : -1);
    }),
  );
});

test('a chart over time has a bar for each day of its range, and none is left out', () => {
  const names = stretchesOf('day', '2026-08-24', '2026-11-23');
  const { rows } = chartOf(groupUsage(items, ['day'], []), names);
  expect(rows).toHaveLength(91);
  expect(rows[0]).toEqual({ name: '2026-08-24' });
  expect(rows.slice(-7, -4)).toEqual([
    { name: '2026-11-16' },
    { name: '2026-11-17', credits: 1_805 },
    { name: '2026-11-18', credits: 35 },
  ]);
});

test('a URL is one series across windows', () => {
  const sums = ['2026w46', '2026w47'].map((window) =>
    usage({ window, key: `/v1/${window}/cat1/brands/top5/popindex/us/beauty` }, 35),
  );
  const by = ['window', 'key'] as const;
  const { rows, series } = chartOf(acrossWindows(groupUsage(sums, by, []), by));
  const url = '/v1/latest/cat1/brands/top5/popindex/us/beauty';
  expect(series).toEqual([url]);
  expect(rows).toEqual([
    { name: '2026w46', [url]: 35 },
    { name: '2026w47', [url]: 35 },
  ]);
});

test.each([
  ['window', '2026-11-16', '2026-11-25', ['2026w46', '2026w47', '2026w48']],
  ['month', '2026-10-31', '2026-11-01', ['2026-10']],
  ['day', '2026-11-22', '2026-11-22', []],
  ['day', '2020-01-01', '2026-11-22', []],
] as const)('stretches by %s from %s to %s', (dimension, from, to, stretches) => {
  expect(stretchesOf(dimension, from, to)).toEqual(stretches);
  expect(stretchesOf('day', from, addDays(from, 2))).toHaveLength(2);
});

const range = { from: '2026-11-01', to: '2026-11-30' };

test('a row that a filter of calls can name leads to those calls', () => {
  const narrowings = [
    { dimension: 'day', value: '2026-11-17' },
    { dimension: 'kind', value: 'base' },
    { dimension: 'api_key', value: 'key-1' },
  ] as const;
  expect(narrowDown(narrowings, range)).toEqual({
    to: 'calls',
    filter: { from: '2026-11-17', to: '2026-11-18', kind: 'base', api_key_id: 'key-1' },
  });
});

test('a window or month that reaches beyond the range is cut to it', () => {
  const month = narrowDown([{ dimension: 'month', value: '2026-11' }], {
    from: '2026-11-10',
    to: '2026-12-10',
  });
  expect(month).toEqual({ to: 'calls', filter: { from: '2026-11-10', to: '2026-12-01' } });
  const window = narrowDown([{ dimension: 'window', value: '2026w47' }], range);
  expect(window).toEqual({ to: 'calls', filter: { from: '2026-11-17', to: '2026-11-24' } });
});

test('what no filter of calls can name leads to its URLs first, and from them to their calls', () => {
  const rule = { dimension: 'rule', value: 'top 5' } as const;
  expect(narrowDown([rule], range)).toEqual({ to: 'usage', only: [rule] });
  const key = { dimension: 'key', value: '/v1/2026w47/x' } as const;
  expect(narrowDown([rule, key], range)).toEqual({
    to: 'calls',
    filter: { ...range, resource_key: '/v1/2026w47/x' },
  });
});

test('sums by a tag are those of its values, and of the calls without it', () => {
  const item = (calls: number, tags: Readonly<Record<string, string | null>> | null) => ({
    tags,
    calls,
    call_cost: 0,
    data_cost: calls,
    credits_used: calls,
  });
  const byTeam = [item(3, { team: 'hair' }), item(2, { team: null })];
  const shown = (items: typeof byTeam, by: 'tag:team' | 'tags') =>
    groupUsage(items, [by], []).map(({ values, calls }) => [values[0], calls]);
  expect(shown(byTeam, 'tag:team')).toEqual([
    ['hair', 3],
    [NO_VALUE, 2],
  ]);
  const byAll = [item(1, { project: 'autumn', team: 'hair' }), item(4, null)];
  expect(shown(byAll, 'tags')).toEqual([
    ['project=autumn, team=hair', 1],
    [NO_VALUE, 4],
  ]);
  expect(groupUsage(byTeam, ['kind'], [{ dimension: 'tag:team', value: '' }])).toMatchObject([
    { calls: 3 },
  ]);
});

test('the value of a tag leads to its calls; that there is none, and all tags together, do not', () => {
  const team = { dimension: 'tag:team', value: 'hair' } as const;
  expect(narrowDown([team], range)).toEqual({
    to: 'calls',
    filter: { ...range, tag: 'team=hair' },
  });
  const any = { dimension: 'tag:team', value: '' } as const;
  expect(narrowDown([any, team], range)).toMatchObject({ filter: { tag: 'team=hair' } });
  for (const only of [
    [{ dimension: 'tag:team', value: NO_VALUE }],
    [{ dimension: 'tags', value: 'project=autumn, team=hair' }],
    [team, { dimension: 'tag:project', value: 'autumn' }],
  ] as const) {
    expect(narrowDown(only, range)).toEqual({ to: 'usage', only });
  }
});
