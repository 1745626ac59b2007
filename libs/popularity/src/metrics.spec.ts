import fc from 'fast-check';
import { figuresOf, type Figures } from './metrics.js';
import { monthNumber } from './month.js';
import { decimalText } from './rounding.js';
import type { Series } from './series.js';

const M = monthNumber('2026-10-01') ?? 0;

/** A series from volumes of one source: `{0: 5}` is 5 in the newest month, `{1: 5}` before it. */
function google(volumes: Readonly<Record<number, number>>): Series {
  const ages = Object.keys(volumes)
    .map(Number)
    .toSorted((one, other) => other - one);
  const scaled = ages.map((age) => BigInt(Math.round((volumes[age] ?? 0) * 10_000)));
  const zeros = ages.map(() => 0n);
  return { months: ages.map((age) => M - age), bySource: [scaled, zeros, zeros] };
}

function filled(from: number, to: number, volume: number): Record<number, number> {
  return Object.fromEntries(
    Array.from({ length: to - from + 1 }, (_, index) => [from + index, volume]),
  );
}

function text(scaled: bigint | null, decimals: number): string | null {
  return scaled === null ? null : decimalText(scaled, decimals);
}

function texts({ popularity, yoy, qoq, mom }: Figures): (string | null)[] {
  const changes = [yoy, qoq, mom].flatMap(({ percent, absolute }) => [
    text(percent, 4),
    text(absolute, 0),
  ]);
  return [text(popularity, 4), ...changes];
}

describe('the figures of an item', () => {
  // popularity, then percent and absolute of the year, the quarter and the month
  it.each<[string, Record<number, number>, (string | null)[]]>([
    [
      'two whole years',
      { ...filled(0, 11, 150), ...filled(12, 23, 100) },
      ['150', '50', '50', '0', '0', '0', '0'],
    ],
    ['one month alone', { 0: 7.5 }, ['7.5', null, null, null, null, null, null]],
    [
      'absent months are left out of a mean',
      { 0: 30, 11: 10, 12: 8 },
      ['20', '150', '12', null, null, null, null],
    ],
    [
      'zero is a month, absence is not',
      { 0: 30, 1: 0, 12: 10 },
      ['15', '50', '5', null, null, null, '30'],
    ],
    ['old mean zero', { 0: 5, 12: 0 }, ['5', null, '5', null, null, null, null]],
    ['new mean zero', { 0: 0, 12: 4 }, ['0', '-100', '-4', null, null, null, null]],
    ['zero on both sides', { 0: 0, 1: 0, 12: 0 }, ['0', null, '0', null, null, null, '0']],
    [
      'the newest month missing',
      { 1: 6, 2: 6, 3: 4, 13: 3 },
      ['5.3333', '77.7778', '2', '50', '2', null, null],
    ],
    [
      'the month before missing',
      { 0: 6, 2: 6, 3: 4 },
      ['5.3333', null, null, '50', '2', null, null],
    ],
    [
      'a quarter with gaps against one with gaps',
      { 0: 9, 2: 6, 4: 5 },
      ['6.6667', null, null, '50', '2', null, null],
    ],
    ['the oldest month that counts', { 11: 1 }, ['1', null, null, null, null, null, null]],
    [
      'months beyond two years do not count',
      { 0: 2, 24: 50 },
      ['2', null, null, null, null, null, null],
    ],
    [
      'a tie of popularity goes to the even digit',
      { 0: 0.0001, 1: 0.0002 },
      ['0.0002', null, null, null, null, '-50', '0'],
    ],
    [
      'a tie of popularity goes down to the even digit',
      { 0: 0.0001, 1: 0 },
      ['0', null, null, null, null, null, '0'],
    ],
    [
      'a tie of an absolute change goes to the even number',
      { 0: 3.5, 1: 1 },
      ['2.25', null, null, null, null, '250', '2'],
    ],
    [
      'a tie of a negative absolute change',
      { 0: 1, 1: 4.5 },
      ['2.75', null, null, null, null, '-77.7778', '-4'],
    ],
    [
      'a tie of a percentage goes to the even digit',
      { 0: 3_200_001, 1: 3_200_000 },
      ['3200000.5', null, null, null, null, '0', '1'],
    ],
    [
      'a percentage just above its tie',
      { 0: 1_999_999, 1: 1_999_998 },
      ['1999998.5', null, null, null, null, '0.0001', '1'],
    ],
    ['a third', { 0: 1, 1: 0, 2: 0, 12: 3 }, ['0.3333', '-88.8889', '-3', null, null, null, '1']],
  ])('follow the rule for %s', (_name, volumes, expected) => {
    const figures = figuresOf(google(volumes), M);
    expect(figures && texts(figures)).toEqual(expected);
  });

  it('are absent for an item without a month in the latest twelve', () => {
    expect(figuresOf(google({ 12: 5, 13: 5 }), M)).toBeNull();
    expect(figuresOf(google({}), M)).toBeNull();
  });

  it('share the volume of the latest twelve months among the sources', () => {
    const series = {
      months: [M - 12, M - 1, M],
      bySource: [
        [990_000n, 10_000n, 0n],
        [0n, 0n, 10_000n],
        [0n, 10_000n, 0n],
      ],
    };
    const shares = [333_333n, 333_333n, 333_333n];
    expect(figuresOf(series, M)?.shares).toEqual(shares);
  });

  it('have no shares where the latest twelve months hold no volume', () => {
    const shares = [null, null, null];
    expect(figuresOf(google({ 0: 0, 13: 4 }), M)?.shares).toEqual(shares);
  });
});

/** A fraction that is never shortened: slow, plain, and made apart from the program. */
interface Fraction {
  readonly top: bigint;
  readonly bottom: bigint;
}

function mean(series: Series, from: number, to: number): Fraction | null {
  let [top, bottom] = [0n, 0n];
  series.months.forEach((month, index) => {
    if (month < from || month > to) return;
    for (const volumes of series.bySource) top += volumes[index] ?? 0n;
    bottom += 10_000n;
  });
  return bottom === 0n ? null : { top, bottom };
}

/** Digits of a fraction by long division, one more than kept, and whether anything is left. */
function halfEven({ top, bottom }: Fraction, decimals: number): string {
  const size = top < 0n ? -top : top;
  let digits = size / bottom;
  let rest = size % bottom;
  for (let place = 0; place < decimals; place += 1) {
    digits = digits * 10n + (rest * 10n) / bottom;
    rest = (rest * 10n) % bottom;
  }
  const next = (rest * 10n) / bottom;
  const exact = (rest * 10n) % bottom === 0n;
  const isOdd = digits % 2n === 1n;
  if (next > 5n || (next === 5n && (!exact || isOdd))) digits += 1n;
  return `${top < 0n && digits !== 0n ? '-' : ''}${digits}e-${decimals}`;
}

function change(series: Series, length: number): (string | null)[] {
  const now = mean(series, M - length + 1, M);
  const before = mean(series, M - 2 * length + 1, M - length);
  if (now === null || before === null) return [null, null];
  const top = now.top * before.bottom - before.top * now.bottom;
  const absolute = halfEven({ top, bottom: now.bottom * before.bottom }, 0);
  if (before.top === 0n) return [null, absolute];
  const ratio = { top: 100n * top, bottom: now.bottom * before.top };
  return [halfEven(ratio, 4), absolute];
}

function scaledText(scaled: bigint | null, decimals: number): string | null {
  return scaled === null ? null : `${scaled}e-${decimals}`;
}

it('figures equal those of plain fractions for any series with gaps and zeros', () => {
  const volume = fc.oneof(
    fc.constant(0n),
    fc.bigInt({ min: 0n, max: 60n }),
    fc.bigInt({ min: 0n, max: 2n ** 53n }),
  );
  const row = fc.tuple(fc.integer({ min: 0, max: 30 }), volume, volume, volume);
  const rows = fc.uniqueArray(row, { selector: ([age]) => age, maxLength: 30 });
  fc.assert(
    fc.property(rows, (some) => {
      const sorted = some.toSorted(([one], [other]) => other - one);
      const series = {
        months: sorted.map(([age]) => M - age),
        bySource: [
          sorted.map(([, volumes]) => volumes),
          sorted.map(([, , volumes]) => volumes),
          sorted.map(([, , , volumes]) => volumes),
        ],
      };
      const figures = figuresOf(series, M);
      const popularity = mean(series, M - 11, M);
      if (figures === null || popularity === null) {
        expect([figures, popularity]).toEqual([null, null]);
        return;
      }
      expect(scaledText(figures.popularity, 4)).toBe(halfEven(popularity, 4));
      const changes = [figures.yoy, figures.qoq, figures.mom].map(({ percent, absolute }) => [
        scaledText(percent, 4),
        scaledText(absolute, 0),
      ]);
      expect(changes).toEqual([change(series, 12), change(series, 3), change(series, 1)]);
      const [sum, part] = [
        popularity.top,
        mean({ ...series, bySource: series.bySource.slice(2) }, M - 11, M),
      ];
      const share = { top: part?.top ?? 0n, bottom: sum };
      const expected = sum === 0n ? null : halfEven(share, 6);
      expect(scaledText(figures.shares[2] ?? null, 6)).toBe(expected);
    }),
    { numRuns: 500 },
  );
});
