import type { Order } from '#web/query.js';
import type { SumDimension } from './usage-dimensions.js';

/** Sums of calls with what they are grouped by: `d1`, `d2`, … */
export type SumsRow = Readonly<Record<`d${number}`, string>> & {
  readonly calls: number;
  readonly call_cost: number;
  readonly data_cost: number;
};

/** The values that a sum is grouped by: its place in the order of sums. */
export function placeOf(row: SumsRow, by: readonly SumDimension[]): readonly string[] {
  return by.map((_, index) => row[`d${index + 1}`] ?? '');
}

/** Sums of the same place are one: they come from several servers, or of a text in two forms. */
export function mergeSums(
  rows: readonly SumsRow[],
  by: readonly SumDimension[],
  order: Order,
): readonly SumsRow[] {
  const sums = new Map<string, SumsRow>();
  for (const row of rows) {
    const place = JSON.stringify(placeOf(row, by));
    const sum = sums.get(place);
    sums.set(place, {
      ...row,
      calls: row.calls + (sum?.calls ?? 0),
      call_cost: row.call_cost + (sum?.call_cost ?? 0),
      data_cost: row.data_cost + (sum?.data_cost ?? 0),
    });
  }
  const sign = order === 'asc' ? 1 : -1;
  return [...sums.values()].toSorted(
    (one, other) => sign * comparePlaces(placeOf(one, by), placeOf(other, by)),
  );
}

/** Compares places as collation "C" does. */
export function comparePlaces(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const difference = Buffer.compare(Buffer.from(text), Buffer.from(other[index] ?? ''));
    if (difference !== 0) return difference;
  }
  return 0;
}
