import {
  addDays,
  daysBetween,
  firstOfNextMonth,
  monthsBetween,
  tuesdayOf,
  windowOf,
} from '../../format/days.js';
import { fits, keyOfWeek, NO_VALUE, seriesOf } from './url-series.js';
import { isTag, tagNameOf, type Narrowing } from './usage-search.js';
import type { Dimension, Usage } from '../../rest/answers.js';
import type { CallFilter } from '../../rest/queries.js';

/** Sums of what is shown in one row: its values in the order of the grouping. */
export interface UsageRow {
  readonly values: readonly string[];
  readonly calls: number;
  readonly callCost: number;
  readonly dataCost: number;
  readonly credits: number;
}

export const TIME_DIMENSIONS: readonly Dimension[] = ['day', 'window', 'month'];

function valueOf(usage: Usage, dimension: Dimension): string {
  if (isTag(dimension)) return usage.tags?.[tagNameOf(dimension)] ?? NO_VALUE;
  if (dimension !== 'tags') return usage[dimension] ?? NO_VALUE;
  const tags = Object.entries(usage.tags ?? {}).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${value}`],
  );
  return tags.length === 0 ? NO_VALUE : tags.join(', ');
}

/** Sums by these dimensions of what fits the narrowings, in the order in which they came. */
export function groupUsage(
  items: readonly Usage[],
  by: readonly Dimension[],
  only: readonly Narrowing[],
): UsageRow[] {
  const rows = new Map<string, UsageRow>();
  for (const item of items) {
    if (only.some((each) => !fits(each, valueOf(item, each.dimension)))) continue;
    const values = by.map((dimension) => valueOf(item, dimension));
    const key = JSON.stringify(values);
    const row = rows.get(key);
    rows.set(key, {
      values,
      calls: (row?.calls ?? 0) + item.calls,
      callCost: (row?.callCost ?? 0) + item.call_cost,
      dataCost: (row?.dataCost ?? 0) + item.data_cost,
      credits: (row?.credits ?? 0) + item.credits_used,
    });
  }
  return [...rows.values()];
}

/** Time runs on; all else is ranked by what it cost. */
export function sortRows(rows: readonly UsageRow[], by: readonly Dimension[]): UsageRow[] {
  const isTime = by[0] !== undefined && TIME_DIMENSIONS.includes(by[0]);
  return rows.toSorted((one, other) => {
    const [first = '', second = ''] = [one.values[0], other.values[0]];
    if (isTime && first !== second) return first < second ? -1 : 1;
    return other.credits - one.credits;
  });
}

/** A key with `latest` for its week: the same URL in every window. */
export function acrossWindows(rows: readonly UsageRow[], by: readonly Dimension[]): UsageRow[] {
  const [, second] = by;
  if (second !== 'key') return [...rows];
  return rows.map((row) => ({ ...row, values: row.values.with(1, seriesOf(row.values[1] ?? '')) }));
}

export interface ChartData {
  readonly rows: readonly Readonly<Record<string, string | number>>[];
  /** Names of the stacked parts, the largest first. */
  readonly series: readonly string[];
}

const SERIES_MAX = 6;
/** A year of days; a longer range shows what there is of it. */
const STRETCHES_MAX = 366;
export const OTHERS = 'all others';

/** The days, windows or months of a range, those without a call too; `to` is not part of it. */
export function stretchesOf(dimension: Dimension, from: string, to: string): readonly string[] {
  const count = daysBetween(from, to);
  if (!(count > 0 && count <= STRETCHES_MAX)) return [];
  if (dimension === 'month') return monthsBetween(from, addDays(to, -1));
  const days = Array.from({ length: count }, (_, index) => addDays(from, index));
  return dimension === 'day' ? days : [...new Set(days.map(windowOf))];
}

/**
 * One bar for each first value, `names` first and in their order; the second value stacks, the
 * smallest parts put together.
 */
export function chartOf(rows: readonly UsageRow[], names: readonly string[] = []): ChartData {
  const totals = new Map<string, number>();
  for (const { values, credits } of rows) {
    const part = values[1] ?? 'credits';
    totals.set(part, (totals.get(part) ?? 0) + credits);
  }
  const ranked = [...totals].sort(([, one], [, other]) => other - one).map(([part]) => part);
  const kept = ranked.length > SERIES_MAX ? ranked.slice(0, SERIES_MAX - 1) : ranked;
  const bars = new Map<string, Record<string, string | number>>(
    names.map((name) => [name, { name }]),
  );
  for (const { values, credits } of rows) {
    const name = values[0] ?? 'all';
    const bar = bars.get(name) ?? { name };
    const part = kept.includes(values[1] ?? 'credits') ? (values[1] ?? 'credits') : OTHERS;
    bar[part] = Number(bar[part] ?? 0) + credits;
    bars.set(name, bar);
  }
  const series = ranked.length > kept.length ? [...kept, OTHERS] : kept;
  return { rows: [...bars.values()], series };
}

/**
 * The target of a row of sums: the calls behind it, or a closer view where no filter names them.
 */
export type Narrower =
  | { readonly to: 'calls'; readonly filter: CallFilter }
  | { readonly to: 'usage'; readonly only: readonly Narrowing[] };

export interface Range {
  readonly from?: string;
  readonly to?: string;
}

/** Calls are filtered by time, key, kind, API key and tag; rules and regions by their keys. */
export function narrowDown(narrowings: readonly Narrowing[], range: Range): Narrower {
  const filter: { -readonly [Name in keyof CallFilter]: CallFilter[Name] } = { ...range };
  for (const { dimension, value } of narrowings) {
    const key = dimension === 'key' ? keyOfWeek(value, narrowings) : value;
    if (key === undefined) return { to: 'usage', only: narrowings };
    const isFiltered = value !== NO_VALUE && setFilter(filter, dimension, key);
    if (!isFiltered && !narrowings.some((each) => each.dimension === 'key')) {
      return { to: 'usage', only: narrowings };
    }
  }
  return { to: 'calls', filter };
}

type Mutable = { -readonly [Name in keyof CallFilter]: CallFilter[Name] };

function setFilter(filter: Mutable, dimension: Dimension, value: string): boolean {
  if (isTag(dimension)) {
    const name = tagNameOf(dimension);
    const tag = value === '' ? name : `${name}=${value}`;
    if (filter.tag !== undefined && filter.tag !== name && filter.tag !== tag) return false;
    filter.tag = tag;
    return true;
  }
  switch (dimension) {
    case 'day':
      return setRange(filter, value, addDays(value, 1));
    case 'window':
      return setRange(filter, tuesdayOf(value), addDays(tuesdayOf(value), 7));
    case 'month':
      return setRange(filter, `${value}-01`, firstOfNextMonth(value));
    case 'key':
      filter.resource_key = value;
      return true;
    case 'kind':
      filter.kind = value as 'base' | 'repeat';
      return true;
    case 'api_key':
      filter.api_key_id = value;
      return true;
    case 'tags':
    case 'resource':
    case 'region':
    case 'rule':
      return false;
  }
}

/** The part of the range that lies within both. */
function setRange(filter: Mutable, from: string, to: string): boolean {
  filter.from = filter.from !== undefined && filter.from > from ? filter.from : from;
  filter.to = filter.to !== undefined && filter.to < to ? filter.to : to;
  return true;
}
