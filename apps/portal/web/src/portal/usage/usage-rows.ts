import { addDays, daysBetween } from '../../format/days.js';
import { seriesOf } from './url-series.js';
import { stretchesOf, TIME_DIMENSIONS, type UsageRow } from './usage-groups.js';
import type { Dimension } from '../../rest/answers.js';

/** A row beside the same of the span before; null: nothing is compared. */
export interface ComparedRow extends UsageRow {
  readonly before: number | null;
}

/** The span of the same length right before one; `to` is the first day that is not part of it. */
export function spanBefore(
  from: string,
  to: string,
): { readonly from: string; readonly to: string } {
  return { from: addDays(from, -daysBetween(from, to)), to: from };
}

/** Whether the keys of a URL in several weeks are one row: nothing sets the weeks apart. */
export function isByUrl(by: readonly Dimension[]): boolean {
  return by.includes('key') && !by.some((dimension) => TIME_DIMENSIONS.includes(dimension));
}

/** Sums of the weeks of each URL put together, the first place of each URL kept. */
export function byUrl(rows: readonly UsageRow[], by: readonly Dimension[]): UsageRow[] {
  const at = by.indexOf('key');
  const series = new Map<string, UsageRow>();
  for (const row of rows) {
    const values = row.values.with(at, seriesOf(row.values[at] ?? ''));
    const key = JSON.stringify(values);
    const known = series.get(key) ?? { values, calls: 0, callCost: 0, dataCost: 0, credits: 0 };
    series.set(key, {
      values,
      calls: known.calls + row.calls,
      callCost: known.callCost + row.callCost,
      dataCost: known.dataCost + row.dataCost,
      credits: known.credits + row.credits,
    });
  }
  return [...series.values()];
}

/**
 * Each row with the credits of the same in the span before: the same values, and of days, windows
 * and months the one in the same place. `before` undefined: nothing is compared.
 */
export function compared(
  rows: readonly UsageRow[],
  before: readonly UsageRow[] | undefined,
  by: readonly Dimension[],
  range: { readonly from: string; readonly to: string },
): ComparedRow[] {
  if (before === undefined) return rows.map((row) => ({ ...row, before: null }));
  const earlier = spanBefore(range.from, range.to);
  const places = by.map((dimension) => ({
    now: placesOf(dimension, range),
    before: placesOf(dimension, earlier),
  }));
  const keyOf = ({ values }: UsageRow, which: 'now' | 'before'): string =>
    JSON.stringify(
      values.map((value, index) => places[index]?.[which]?.get(value) ?? sameOf(by[index], value)),
    );
  const sums = new Map(before.map((row) => [keyOf(row, 'before'), row.credits]));
  return rows.map((row) => ({ ...row, before: sums.get(keyOf(row, 'now')) ?? 0 }));
}

/** Places of days, windows or months in a range; undefined of other dimensions. */
function placesOf(
  dimension: Dimension,
  { from, to }: { readonly from: string; readonly to: string },
): ReadonlyMap<string, number> | undefined {
  if (!TIME_DIMENSIONS.includes(dimension)) return undefined;
  return new Map(stretchesOf(dimension, from, to).map((label, index) => [label, index]));
}

function sameOf(dimension: Dimension | undefined, value: string): string {
  return dimension === 'key' ? seriesOf(value) : value;
}
