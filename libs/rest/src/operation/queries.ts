import { z } from 'zod';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { PAGE_QUERY, type PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';

/** The query of a list without filters. */
export const PAGE = z.strictObject(PAGE_QUERY);

/** Takes the page that is asked for out of a whole list. Throws BadCursorError at once. */
export function pageBy(query: PageQuery): <Row>(all: readonly Row[]) => Table<Row> {
  const { after, limit, order } = query;
  // Rows before it are those of the list as it is, also where it is read from its end: it grows.
  const place = after === undefined ? null : decodeNumberCursor(after);
  if (order === 'asc') {
    const first = place ?? 0;
    const end = first + limit;
    return (all) => ({
      items: all.slice(first, end),
      next: end < all.length ? encodeCursor(end) : null,
    });
  }
  return (all) => {
    const end = Math.min(place ?? all.length, all.length);
    const first = Math.max(0, end - limit);
    return {
      items: all.slice(first, end).toReversed(),
      next: first > 0 ? encodeCursor(first) : null,
    };
  };
}
