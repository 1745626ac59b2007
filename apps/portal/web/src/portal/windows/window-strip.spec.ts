import { stripOf, windowsUpTo } from './window-strip.js';
import type { Usage, WindowKey } from '../../rest/answers.js';

function called(key: string, window: string, calls: number, credits: number): WindowKey {
  const moments = { first_call_at: '', window_ends_at: '' };
  return { key, window, calls, credits_used: credits, ...moments };
}

/** Sums of repeats in a window. */
function repeats(window: string, calls: number, credits: number): Usage {
  const sums = { calls, call_cost: credits, data_cost: 0, credits_used: credits };
  return { ...sums, window, kind: 'repeat' };
}

test('windows run up to the one that is asked for, across the end of a year', () => {
  expect(windowsUpTo('2027w01', 3)).toEqual(['2026w52', '2026w53', '2027w01']);
});

test('the keys of one URL in several windows are one row', () => {
  const keys = [
    called('/v1/2026w46/a', '2026w46', 1, 35),
    called('/v1/2026w47/b', '2026w47', 1, 1_760),
    called('/v1/2026w47/a', '2026w47', 3, 55),
  ];
  const rows = stripOf(keys, [repeats('2026w47', 2, 20)]);
  expect(rows.map(({ path, credits }) => [path, credits])).toEqual([
    ['/v1/latest/b', 1_760],
    ['/v1/latest/a', 90],
  ]);
  expect(rows[1]?.cells.get('2026w46')).toEqual({ base: 35, repeats: 0, credits: 35 });
  expect(rows[1]?.cells.get('2026w47')).toEqual({ base: 35, repeats: 2, credits: 55 });
  expect(rows[0]?.cells.has('2026w46')).toBe(false);
});

test('a past week that is called again stands in the window of the call, without a base', () => {
  const [row] = stripOf([called('/v1/2026w46/a', '2026w47', 2, 20)], [repeats('2026w47', 2, 20)]);
  expect(row?.cells.get('2026w47')).toEqual({ base: 0, repeats: 2, credits: 20 });
});

test('a past week that is called for the first time pays its base in the window of the call', () => {
  const sums = [repeats('2026w47', 1, 10)];
  const [row] = stripOf([called('/v1/2026w46/a', '2026w47', 2, 45)], sums);
  expect(row?.cells.get('2026w47')).toEqual({ base: 35, repeats: 1, credits: 45 });
});

test('a past week and the running one of the same URL add up in the window of their calls', () => {
  const keys = [
    called('/v1/2026w46/a', '2026w47', 1, 10),
    called('/v1/2026w47/a', '2026w47', 2, 45),
  ];
  const [row] = stripOf(keys, [repeats('2026w47', 2, 20)]);
  expect(row?.cells.get('2026w47')).toEqual({ base: 35, repeats: 2, credits: 55 });
});

test('a window has the price that its own repeats cost', () => {
  const keys = [
    called('/v1/2026w46/a', '2026w46', 3, 55),
    called('/v1/2026w47/a', '2026w47', 3, 49),
  ];
  const [row] = stripOf(keys, [repeats('2026w46', 2, 20), repeats('2026w47', 2, 24)]);
  expect([...(row?.cells.values() ?? [])].map(({ base }) => base)).toEqual([35, 25]);
});

test('a base that costs no more than a repeat is still one in its own week', () => {
  const [row] = stripOf([called('/v1/2026w47/a', '2026w47', 2, 20)], [repeats('2026w47', 1, 10)]);
  expect(row?.cells.get('2026w47')).toEqual({ base: 10, repeats: 1, credits: 20 });
});
