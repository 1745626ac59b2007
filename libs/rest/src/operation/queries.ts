import { z } from 'zod';
import { PAGE_QUERY } from '#web/query.js';

/** The query of a list without filters. */
export const PAGE = z.strictObject(PAGE_QUERY);
