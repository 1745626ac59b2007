import { isTag, tagNameOf, type UsageDimension } from '../views/usage-dimension.js';
import type pg from 'pg';
import { readable } from '../texts/readable.js';

import { isOfTags } from './usage-dimensions.js';

/** Sums of calls with what they are grouped by: `d1`, `d2`, … */
export type SumsRow = Readonly<Record<`d${number}`, string>> & {
  readonly calls: number;
  readonly call_cost: number;
  readonly data_cost: number;
};

/**
 * Sums by tags as they were said, in their order, behind a place: one tag may stand in calls as it
 * was said and as it was sealed later.
 */
export async function openedTags(
  client: pg.ClientBase,
  rows: readonly SumsRow[],
  by: readonly UsageDimension[],
  after: readonly string[] | null,
  order: 'asc' | 'desc',
): Promise<readonly SumsRow[]> {
  const sign = order === 'asc' ? 1 : -1;
  const sealed = rows.map((row) => ({ row, data: JSON.stringify(tagsOf(row, by)) }));
  const sums = new Map<string, SumsRow>();
  for (const { row, data } of await readable(client, sealed)) {
    const opened = { ...row, ...openedOf(JSON.parse(data) as Tags, by) };
    const place = JSON.stringify(placeOf(opened, by));
    sums.set(place, added(sums.get(place), opened));
  }
  const ordered = [...sums.values()].toSorted(
    (one, other) => compare(placeOf(one, by), placeOf(other, by)) * sign,
  );
  if (after === null) return ordered;
  return ordered.filter((row) => compare(placeOf(row, by), after) * sign > 0);
}

/** Tags by the row's members. */
type Tags = Readonly<Record<`d${number}`, Readonly<Record<string, string>>>>;

function tagsOf(row: SumsRow, by: readonly UsageDimension[]): Tags {
  const members = by.flatMap((dimension, index) => {
    const name = `d${index + 1}` as const;
    const text = row[name] ?? '';
    return isOfTags(dimension) && text !== '' ? [[name, JSON.parse(text)]] : [];
  });
  return Object.fromEntries(members) as Tags;
}

/** Of one tag its value. Empty: no tag, or one that was erased. */
function openedOf(
  tags: Tags,
  by: readonly UsageDimension[],
): Readonly<Record<`d${number}`, string>> {
  const members = by.flatMap((dimension, index) => {
    const name = `d${index + 1}` as const;
    const said = tags[name];
    if (said === undefined) return [];
    return [[name, isTag(dimension) ? (said[tagNameOf(dimension)] ?? '') : textOf(said)]];
  });
  return Object.fromEntries(members) as Readonly<Record<`d${number}`, string>>;
}

function textOf(said: Tags[`d${number}`]): string {
  const names = Object.entries(said).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return names.length === 0 ? '' : JSON.stringify(Object.fromEntries(names));
}

function placeOf(row: SumsRow, by: readonly UsageDimension[]): readonly string[] {
  return by.map((_, index) => row[`d${index + 1}`] ?? '');
}

function added(sum: SumsRow | undefined, row: SumsRow): SumsRow {
  if (sum === undefined) return row;
  return {
    ...row,
    calls: sum.calls + row.calls,
    call_cost: sum.call_cost + row.call_cost,
    data_cost: sum.data_cost + row.data_cost,
  };
}

/** As the database orders them: all are ASCII. */
function compare(one: readonly string[], other: readonly string[]): number {
  for (const [index, text] of one.entries()) {
    const second = other[index] ?? '';
    if (text !== second) return text < second ? -1 : 1;
  }
  return 0;
}
