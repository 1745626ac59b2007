import { isTag, tagNameOf, type UsageDimension } from '../views/usage-dimension.js';
import type pg from 'pg';
import { readable } from '../texts/readable.js';

import { comparePlaces, mergeSums, placeOf, type SumsRow } from './sums-row.js';
import { isOfTags } from './usage-dimensions.js';

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
  const sealed = rows.map((row) => ({ row, data: JSON.stringify(tagsOf(row, by)) }));
  const opened = (await readable(client, sealed)).map(({ row, data }) => ({
    ...row,
    ...openedOf(JSON.parse(data) as Tags, by),
  }));
  const ordered = mergeSums(opened, by, order);
  if (after === null) return ordered;
  const sign = order === 'asc' ? 1 : -1;
  return ordered.filter((row) => comparePlaces(placeOf(row, by), after) * sign > 0);
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
