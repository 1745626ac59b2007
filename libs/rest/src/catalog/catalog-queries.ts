import { z } from 'zod';
import { uuidField } from '#web/body-fields.js';
import { PAGE_QUERY } from '#web/query.js';

const PATH_LENGTH_MAX = 2_000;
const SEARCH_LENGTH_MAX = 100;

export const VIEW_QUERY = z.strictObject({
  path: z
    .string()
    .max(PATH_LENGTH_MAX)
    .meta({
      description: 'A path of the API.',
      example: '/v1/latest/cat1/trends/top5/popindex/us/beauty',
      schema: { type: 'string' },
    }),
});

export const BRANDS_QUERY = z.strictObject({
  ...PAGE_QUERY,
  search: z
    .string()
    .max(SEARCH_LENGTH_MAX)
    .regex(/^[^\p{Cc}]*$/u, 'No control characters')
    .optional()
    .meta({ description: 'Part of a label, in any case.', schema: { type: 'string' } }),
  category_id: uuidField
    .optional()
    .meta({ description: 'Brands of that category, or of one below it.' }),
  brand_id: uuidField.optional().meta({ description: 'Only this brand.' }),
});
export type BrandsQuery = z.output<typeof BRANDS_QUERY>;
