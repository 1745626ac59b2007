import { z } from 'zod';
import { PAGE_QUERY } from '#web/query.js';

/** Query of lists that take no filter. */
export const pageQuery = z.strictObject(PAGE_QUERY);
