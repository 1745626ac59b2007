import { z } from 'zod';
import { PAGE_QUERY } from '#web/query.js';

const SEARCH_LENGTH_MAX = 200;

/** Query of lists that take no filter. */
export const pageQuery = z.strictObject(PAGE_QUERY);

/** Query of `GET /accounts`. */
export const accountsQuery = z.strictObject({
  ...PAGE_QUERY,
  test: z.enum(['true', 'false']).optional(),
  status: z.enum(['active', 'suspended', 'closed']).optional(),
  search: z.string().min(1).max(SEARCH_LENGTH_MAX).optional(),
});
