import { z } from 'zod';
import { LEVELS } from '#rating/resource.js';
import type { Frozen } from '../operation/frozen.js';

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

/** Levels of categories, and brands. */
export const CatalogLevel = z.enum([...LEVELS, 'brand']).meta({ id: 'CatalogLevel' });

/** A category or brand that can be requested. */
export const CatalogItem = z
  .strictObject({
    id: uuid,
    level: CatalogLevel,
    label: z.string(),
    slug: z.string().nullable().meta({ description: 'As paths name it; null: a brand has none.' }),
    parent_id: uuid.nullable().meta({
      description: 'The category above; null of cat1, and of a brand, which may be in several.',
    }),
  })
  .meta({
    id: 'CatalogItem',
    examples: [{ id: EXAMPLE_ID, level: 'cat1', label: 'Beauty', slug: 'beauty', parent_id: null }],
  });
export type CatalogItem = Frozen<z.output<typeof CatalogItem>>;

/** A value of `{group}` or `{region}` in paths. */
export const CatalogValue = z
  .strictObject({ slug: z.string().meta({ description: 'As paths name it.' }), label: z.string() })
  .meta({ id: 'CatalogValue', examples: [{ slug: 'us', label: 'United States' }] });
export type CatalogValue = Frozen<z.output<typeof CatalogValue>>;
