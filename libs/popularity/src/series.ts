import { GLOBAL } from './regions.js';

/** Decimals that a volume may have; a volume is kept as an integer of this scale. */
export const VOLUME_DECIMALS = 4;

export const PLATFORMS = ['google', 'tiktok', 'instagram'] as const;
export type Platform = (typeof PLATFORMS)[number];

/**
 * The volumes of one item in one region: one entry a month that has a row, ascending, in
 * ten-thousandths. A month without a row is absent, which is not the same as zero.
 */
export interface Series extends Readonly<Record<Platform, readonly bigint[]>> {
  /** Numbers of months, ascending, none twice. */
  readonly months: readonly number[];
}

/** v(i, m) in ten-thousandths: the platforms of the month at `index`, summed. */
export function volumeAt(series: Series, index: number): bigint {
  return PLATFORMS.reduce((sum, platform) => sum + (series[platform][index] ?? 0n), 0n);
}

/** One series that has a month wherever any of the given ones has it, holding their sum. */
export function sumOfSeries(all: readonly Series[]): Series {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const sums = new Map<number, [bigint, bigint, bigint]>();
  for (const { months, google, tiktok, instagram } of all) {
    months.forEach((month, index) => {
      const [a, b, c] = sums.get(month) ?? [0n, 0n, 0n];
      sums.set(month, [
        a + (google[index] ?? 0n),
        b + (tiktok[index] ?? 0n),
        c + (instagram[index] ?? 0n),
      ]);
    });
  }
  const rows = [...sums].toSorted(([one], [other]) => one - other);
  return {
    months: rows.map(([month]) => month),
    google: rows.map(([, [sum]]) => sum),
    tiktok: rows.map(([, [, sum]]) => sum),
    instagram: rows.map(([, [, , sum]]) => sum),
  };
}

/**
 * The series `global` of one item: its own rows for `global` where it has any, and then only those;
 * else the sum of all regions. Undefined without any row.
 */
export function globalSeries(byRegion: ReadonlyMap<string, Series>): Series | undefined {
  const own = byRegion.get(GLOBAL);
  if (own !== undefined) return own;
  return byRegion.size === 0 ? undefined : sumOfSeries([...byRegion.values()]);
}
