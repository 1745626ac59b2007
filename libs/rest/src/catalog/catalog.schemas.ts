import { z } from 'zod';
import { LEVELS, LIMITS, REGIONS, SERIES_TYPES } from '#rating/resource.js';
import { uuidField } from '#web/body-fields.js';
import { PAGE_QUERY } from '#web/query.js';
import type { Frozen } from '../operation/frozen.js';

const PATH_LENGTH_MAX = 2_000;
const SEARCH_LENGTH_MAX = 100;

const uuid = z.uuid();
const level = z.enum(LEVELS);
const label = z.string().regex(/^\d{4}w\d{2}$/);

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

/** Data that the account has paid. */
export const View = z
  .strictObject({
    key: z.string(),
    window: label,
    release: z.string(),
    through: z.string(),
    unchanged_since: label,
    data: z.record(z.string(), z.unknown()).meta({ description: 'As in the answer of the API.' }),
  })
  .meta({ id: 'View' });
export type View = Frozen<z.output<typeof View>>;

const category = z.strictObject({
  id: uuid,
  level,
  label: z.string(),
  slug: z.string(),
  parent_id: uuid.nullable(),
  life_cycle: z.string().nullable(),
});

/** What can be asked for. */
export const Catalog = z
  .strictObject({
    release: z.string(),
    through: z.string(),
    levels: z.array(level),
    limits: z.array(z.enum(LIMITS)),
    regions: z.array(z.enum(REGIONS)),
    types: z.array(z.enum(SERIES_TYPES)),
    groups: z.array(z.string()),
    categories: z.array(category).meta({ description: 'Each behind the one above it.' }),
  })
  .meta({ id: 'Catalog' });
export type Catalog = Frozen<z.output<typeof Catalog>>;

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
  brand_id: uuidField.optional().meta({ description: 'That brand alone.' }),
});
export type BrandsQuery = z.output<typeof BRANDS_QUERY>;

export const Brand = z.strictObject({ id: uuid, label: z.string() }).meta({ id: 'Brand' });
export type Brand = Frozen<z.output<typeof Brand>>;
