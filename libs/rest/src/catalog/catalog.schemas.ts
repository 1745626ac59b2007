import { z } from 'zod';
import { LEVELS, LIMITS, REGIONS, SERIES_TYPES } from '#rating/resource.js';
import type { Frozen } from '../operation/frozen.js';
import { Level, Region, RowLimit, SeriesType } from '../operation/resource.schemas.js';

const EXAMPLE_ID = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c02';

const uuid = z.uuid();
const label = z.string().regex(/^\d{4}w\d{2}$/);

/** Data that the account has paid. */
export const View = z
  .strictObject({
    key: z.string(),
    window: label,
    release: z.string(),
    through: z.string(),
    unchanged_since: label,
    data: z
      .record(z.string(), z.unknown())
      .meta({ description: 'The data as the public API returns it.' }),
  })
  .meta({
    id: 'View',
    examples: [
      {
        key: '/v1/2026w47/cat1/trends/top5/popindex/us/beauty',
        window: '2026w47',
        release: 'r1',
        through: '2026-10-01',
        unchanged_since: '2026w46',
        data: {},
      },
    ],
  });
export type View = Frozen<z.output<typeof View>>;

const category = z.strictObject({
  id: uuid,
  level: Level,
  label: z.string(),
  slug: z.string(),
  parent_id: uuid.nullable(),
  life_cycle: z.string().nullable(),
});

/** The names that can be requested. */
export const Catalog = z
  .strictObject({
    release: z.string(),
    through: z.string(),
    levels: z.array(Level),
    limits: z.array(RowLimit),
    regions: z.array(Region),
    types: z.array(SeriesType),
    groups: z.array(z.string()),
    categories: z.array(category).meta({ description: 'Each category follows the one above it.' }),
  })
  .meta({
    id: 'Catalog',
    examples: [
      {
        release: 'r1',
        through: '2026-10-01',
        levels: [...LEVELS],
        limits: [...LIMITS],
        regions: [...REGIONS],
        types: [...SERIES_TYPES],
        groups: ['concerns', 'ingredients'],
        categories: [
          {
            id: EXAMPLE_ID,
            level: 'cat1',
            label: 'Beauty',
            slug: 'beauty',
            parent_id: null,
            life_cycle: null,
          },
        ],
      },
    ],
  });
export type Catalog = Frozen<z.output<typeof Catalog>>;

export const Brand = z
  .strictObject({ id: uuid, label: z.string() })
  .meta({ id: 'Brand', examples: [{ id: EXAMPLE_ID, label: 'Glow & Co' }] });
export type Brand = Frozen<z.output<typeof Brand>>;
