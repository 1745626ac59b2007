import type pg from 'pg';
import { readable } from '../texts/readable.js';
import type { SumsDimension } from '../views/account-reads.js';

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
  by: readonly SumsDimension[],
  after: readonly string[] | null,
  order: 'asc' | 'desc',
): Promise<readonly SumsRow[]> {
  const sign = order === 'asc' ? 1 : -1;
  const sealed = rows.map((row) => ({ row, data: JSON.stringify(tagsOf(row, by)) }));
  const sums = new Map<string, SumsRow>();
  for (const { row, data } of await readable(client, sealed)) {
    const opened = { ...row, ...openedOf(JSON.parse(data) as Tags) };
    const place = JSON.stringify(placeOf(opened, by));
    sums.set(place, added(sums.get(place), opened));
  }
  const ordered = [...sums.values()].toSorted(
    (one, other) => compare(placeOf(one, by), placeOf(other, by)) * sign,
  );
  if (after === null) return ordered;
  return ordered.filter((row) => compare(placeOf(row, by), after) * sign > 0);
}

/** By the row's members: one tag as name and value, or all tags of a call. */
type Tags = Readonly<Record<`d${number}`, readonly string[] | Readonly<Record<string, string>>>>;

function tagsOf(row: SumsRow, by: readonly SumsDimension[]): Tags {
  const members = by.flatMap((dimension, index) => {
    const name = `d${index + 1}` as const;
    const text = row[name] ?? '';
    if (dimension === 'tag') return [[name, pairOf(text)]];
    return dimension === 'tags' && text !== '' ? [[name, JSON.parse(text)]] : [];
  });
  return Object.fromEntries(members) as Tags;
}

/** Name and value; a name holds no equals sign. */
function pairOf(tag: string): readonly string[] {
  const end = tag.indexOf('=');
  return end < 0 ? [tag] : [tag.slice(0, end), tag.slice(end + 1)];
}

function openedOf(tags: Tags): Readonly<Record<`d${number}`, string>> {
  const texts = Object.entries(tags).map(([member, said]) => [member, textOf(said)]);
  return Object.fromEntries(texts) as Readonly<Record<`d${number}`, string>>;
}

/** Empty: no tag, or one that was erased. */
function textOf(said: Tags[`d${number}`]): string {
  if (Array.isArray(said)) return said[0] === '' ? '' : said.join('=');
  const names = Object.entries(said).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return names.length === 0 ? '' : JSON.stringify(Object.fromEntries(names));
}

function placeOf(row: SumsRow, by: readonly SumsDimension[]): readonly string[] {
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
