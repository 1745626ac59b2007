import { GLOBAL } from './regions.js';
import { SOURCES } from './sources.js';

/** Decimals that a volume may have; a volume is kept as an integer of this scale. */
export const VOLUME_DECIMALS = 4;

/**
 * The volumes of one item in one region: one entry a month that has a row, ascending, in
 * ten-thousandths. A month without a row is absent, which is not the same as zero.
 */
export interface Series {
  /** Numbers of months, ascending, none twice. */
  readonly months: readonly number[];
  /** In the order of `SOURCES`. */
  readonly bySource: readonly (readonly bigint[])[];
}

/** v(i, m) in ten-thousandths: the sources of the month at `index`, summed. */
export function volumeAt({ bySource }: Series, index: number): bigint {
  return bySource.reduce((sum, volumes) => sum + (volumes[index] ?? 0n), 0n);
}

/** One series that has a month wherever any of the given ones has it, holding their sum. */
export function sumOfSeries(all: readonly Series[]): Series {
  const [only] = all;
  if (only !== undefined && all.length === 1) return only;
  const sums = new Map<number, bigint[]>();
  for (const { months, bySource } of all) {
    months.forEach((month, index) => {
      const before = sums.get(month);
      const sum = bySource.map(
        (volumes, source) => (before?.[source] ?? 0n) + (volumes[index] ?? 0n),
      );
      sums.set(month, sum);
    });
  }
  const rows = [...sums].toSorted(([one], [other]) => one - other);
  return {
    months: rows.map(([month]) => month),
    bySource: SOURCES.map((_, source) => rows.map(([, sum]) => sum[source] ?? 0n)),
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
