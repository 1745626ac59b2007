import { z } from 'zod';
import { uuidField } from '#web/body-fields.js';
import { PAGE_QUERY } from '#web/query.js';
import { CatalogLevel } from './catalog.schemas.js';

/** A level, or categories of all levels. */
const CatalogPart = z.enum([...CatalogLevel.options, 'category']);

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

export const CATALOG_QUERY = z.strictObject({
  level: CatalogPart.optional().meta({
    description: 'Categories of this level, `category`: of all levels, or `brand`.',
  }),
  parent_id: uuidField.optional().meta({
    description: 'Categories right below that one, and brands of it or of one below it.',
  }),
  search: z
    .string()
    .max(SEARCH_LENGTH_MAX)
    .regex(/^[^\p{Cc}]*$/u, 'No control characters')
    .optional()
    .meta({
      description:
        'Words of a label or slug or parts of them, in any case, with or without accents.',
      schema: { type: 'string' },
    }),
  id: uuidField.optional().meta({ description: 'Only this category or brand.' }),
  ...PAGE_QUERY,
});
export type CatalogQuery = z.output<typeof CATALOG_QUERY>;
