import type { Usage } from '../../rest/answers.js';
import { stripOf, windowsUpTo } from './window-strip.js';

function usage(key: string, window: string, kind: 'base' | 'repeat', credits: number, calls = 1) {
  const sums: Usage = { calls, call_cost: 0, data_cost: credits, credits_used: credits };
  return { ...sums, key, window, kind };
}

test('windows run up to the one that is asked for, across the end of a year', () => {
  expect(windowsUpTo('2027w01', 3)).toEqual(['2026w52', '2026w53', '2027w01']);
});

test('the keys of one URL in several windows are one row', () => {
  const rows = stripOf([
    usage('/v1/2026w46/a', '2026w46', 'base', 35),
    usage('/v1/2026w47/a', '2026w47', 'base', 35),
    usage('/v1/2026w47/a', '2026w47', 'repeat', 20, 2),
    usage('/v1/2026w47/b', '2026w47', 'base', 1_760),
  ]);
  expect(rows.map(({ path, credits }) => [path, credits])).toEqual([
    ['/v1/latest/b', 1_760],
    ['/v1/latest/a', 90],
  ]);
  expect(rows[1]?.cells.get('2026w47')).toEqual({ base: 35, repeats: 2, credits: 55 });
  expect(rows[0]?.cells.has('2026w46')).toBe(false);
});

test('a past week that is called again stands in the window of the call, without a base', () => {
  const [row] = stripOf([usage('/v1/2026w46/a', '2026w47', 'repeat', 10)]);
  expect(row?.cells.get('2026w47')).toEqual({ base: 0, repeats: 1, credits: 10 });
});
