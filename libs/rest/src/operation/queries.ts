import { z } from 'zod';
import { decodeNumberCursor, encodeCursor } from '#web/cursor.js';
import { PAGE_QUERY, type PageQuery } from '#web/query.js';
import type { Table } from '#web/table-answer.js';

/** The query of a list without filters. */
export const PAGE = z.strictObject(PAGE_QUERY);

/** Takes the page that is asked for out of a whole list. Throws BadCursorError at once. */
export function pageBy({ after, limit }: PageQuery): <Row>(all: readonly Row[]) => Table<Row> {
  const first = after === undefined ? 0 : decodeNumberCursor(after);
  const end = first + limit;
  return (all) => ({
    items: all.slice(first, end),
    next: end < all.length ? encodeCursor(end) : null,
  });
}
