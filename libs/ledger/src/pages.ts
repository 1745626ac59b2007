import type { Page } from './account-reads.js';
import { encodeCursor } from './cursor.js';

/** A page of at most `limit`, made from one row more than that. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  place: (row: Row) => string | number,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(view), next: last === undefined ? null : encodeCursor(place(last)) };
}
