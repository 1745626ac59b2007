import type { Order } from '#web/query.js';
import type { Page } from './account-reads.js';

/** How the rows behind a place compare with it, in SQL. */
export function comparisonFor(order: Order): '>' | '<' {
  return order === 'asc' ? '>' : '<';
}

/** A page of at most `limit` rows, made from one row more, or all; `cursor` names a row's place. */
export function pageOf<Row, Item>(
  rows: readonly Row[],
  limit: number,
  view: (row: Row) => Item,
  cursor: (row: Row) => string,
): Page<Item> {
  const shown = rows.slice(0, limit);
  const last = rows.length > limit ? shown.at(-1) : undefined;
  return { items: shown.map(view), next: last === undefined ? null : cursor(last) };
}
