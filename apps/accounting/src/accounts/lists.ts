import { z } from 'zod';
import { PAGE_QUERY } from '#web/query.js';

/** Query of lists that take no filter. */
export const pageQuery = z.strictObject(PAGE_QUERY);

/** Query of `GET /accounts`. */
export const accountsQuery = z.strictObject({
  ...PAGE_QUERY,
  test: z.enum(['true', 'false']).optional(),
  status: z.enum(['active', 'suspended', 'closed']).optional(),
});
