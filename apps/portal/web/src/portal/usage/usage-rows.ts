import { addDays, daysBetween, firstOfNextMonth } from '../../format/days.js';
import { seriesOf } from './url-series.js';
import { stretchesOf, TIME_DIMENSIONS, type UsageRow } from './usage-groups.js';
import type { Dimension } from '../../rest/answers.js';

/** Days of a range; `to` is the first that is not part of it. */
export interface Span {
  readonly from: string;
  readonly to: string;
}

/** A row beside the same of the period before; null: nothing is compared. */
export interface ComparedRow extends UsageRow {
  readonly before: number | null;
}

/**
 * The period before one, of the same length: days that begin a month are compared with those that
 * begin the month before, others with those right before them.
 */
export function spanBefore({ from, to }: Span): Span {
  const days = daysBetween(from, to);
  const isOfMonth = from.endsWith('-01') && to <= firstOfNextMonth(from.slice(0, 7));
  if (!isOfMonth) return { from: addDays(from, -days), to: from };
  const first = `${addDays(from, -1).slice(0, 7)}-01`;
  const end = addDays(first, days);
  return { from: first, to: end < from ? end : from };
}

/** Whether the keys of a URL in several weeks are one row: nothing sets the weeks apart. */
export function isByUrl(by: readonly Dimension[]): boolean {
  return by.includes('key') && !by.some((dimension) => TIME_DIMENSIONS.includes(dimension));
}

/** Sums of rows; of none zeros. */
export function sumOf(rows: readonly UsageRow[], values: readonly string[] = []): UsageRow {
  return rows.reduce(
    (sum, row) => ({
      values,
      calls: sum.calls + row.calls,
      callCost: sum.callCost + row.callCost,
      dataCost: sum.dataCost + row.dataCost,
      credits: sum.credits + row.credits,
    }),
    { values, calls: 0, callCost: 0, dataCost: 0, credits: 0 },
  );
}

/** Sums of the weeks of each URL put together, the first place of each URL kept. */
export function byUrl(rows: readonly UsageRow[], by: readonly Dimension[]): UsageRow[] {
  const at = by.indexOf('key');
  const series = new Map<string, UsageRow>();
  for (const row of rows) {
    const values = row.values.with(at, seriesOf(row.values[at] ?? ''));
    const key = JSON.stringify(values);
    const known = series.get(key);
    series.set(key, sumOf(known === undefined ? [row] : [known, row], values));
  }
  return [...series.values()];
}

/**
 * Each row with the credits of the same in the period before: the same values, and of days, weeks
 * and months the one in the same place. What only the period before has follows, with no calls.
 * `before` undefined: nothing is compared.
 */
export function compared(
  rows: readonly UsageRow[],
  before: readonly UsageRow[] | undefined,
  by: readonly Dimension[],
  range: Span,
): ComparedRow[] {
  if (before === undefined) return rows.map((row) => ({ ...row, before: null }));
  const labels = by.map((dimension) => labelsNow(dimension, range));
  const nowOf = ({ values }: UsageRow) =>
    values.map((value, index) => labels[index]?.get(value) ?? sameOf(by[index], value));
  const credits = new Map<string, number>();
  for (const row of before) {
    const key = JSON.stringify(nowOf(row));
    credits.set(key, (credits.get(key) ?? 0) + row.credits);
  }
  const shown = rows.map((row): ComparedRow => {
    const key = JSON.stringify(row.values.map((value, index) => sameOf(by[index], value)));
    const then = credits.get(key) ?? 0;
    credits.delete(key);
    return { ...row, before: then };
  });
  const gone = [...credits].map(([key, then]) => ({
    ...sumOf([], JSON.parse(key) as string[]),
    before: then,
  }));
  return [...shown, ...gone];
}

/** The label in a range of each day, week or month of the period before. */
function labelsNow(dimension: Dimension, range: Span): ReadonlyMap<string, string> | undefined {
  if (!TIME_DIMENSIONS.includes(dimension)) return undefined;
  const { from, to } = spanBefore(range);
  const now = stretchesOf(dimension, range.from, range.to);
  return new Map(
    stretchesOf(dimension, from, to).map((label, index) => [label, now[index] ?? label]),
  );
}

/** A URL with its week is the same URL in another one. */
function sameOf(dimension: Dimension | undefined, value: string): string {
  return dimension === 'key' ? seriesOf(value) : value;
}
