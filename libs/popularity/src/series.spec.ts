import { figureRows } from './figure-rows.js';
import { globalSeries, sumOfSeries, volumeAt, type Series } from './series.js';

function google(months: Readonly<Record<number, bigint>>): Series {
  const numbers = Object.keys(months).map(Number);
  const zeros = numbers.map(() => 0n);
  return { months: numbers, bySource: [Object.values(months), zeros, zeros] };
}

describe('the global series', () => {
  it('is the sum of all regions, month by month, wherever any of them has a row', () => {
    const sum = globalSeries(
      new Map([
        ['us', google({ 100: 5n, 102: 7n })],
        ['fr', google({ 99: 1n, 102: 3n })],
      ]),
    );
    expect(sum?.months).toEqual([99, 100, 102]);
    expect(sum?.bySource[0]).toEqual([1n, 5n, 10n]);
  });

  it("is the item's own rows for global alone where it has any", () => {
    const own = google({ 50: 1n });
    const byRegion = new Map([
      ['us', google({ 100: 5n })],
      ['global', own],
    ]);
    expect(globalSeries(byRegion)).toBe(own);
  });

  it('is absent without rows', () => {
    expect(globalSeries(new Map())).toBeUndefined();
  });

  it('adds up all sources', () => {
    const one = { months: [7], bySource: [[1n], [20n], [300n]] };
    const sum = sumOfSeries([one, one]);
    expect(volumeAt(one, 0)).toBe(321n);
    expect(sum).toEqual({ months: [7], bySource: [[2n], [40n], [600n]] });
  });
});

describe('figures by region', () => {
  it('take the newest month of the region, and for global of what counts as global', () => {
    const rows = [
      ...figureRows([
        { item: 'a', byRegion: new Map([['us', google({ 200: 10_000n })]]) },
        { item: 'b', byRegion: new Map([['fr', google({ 180: 20_000n })]]) },
        {
          item: 'c',
          byRegion: new Map([
            ['us', google({ 230: 30_000n })],
            ['global', google({ 195: 40_000n })],
          ]),
        },
      ]),
    ].map(({ item, region, figures }) => `${item} ${region} ${figures.popularity}`);
    // In us the newest month is 230, so that a is too old; for global it is 200, so that b is.
    expect(rows).toEqual(['a global 10000', 'b fr 20000', 'c us 30000', 'c global 40000']);
  });
});
