import { z } from 'zod';
import { LEVELS } from '#rating/resource.js';
import type { Frozen } from '../operation/frozen.js';

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
  .meta({ id: 'View' });
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
  .meta({ id: 'CatalogItem' });
export type CatalogItem = Frozen<z.output<typeof CatalogItem>>;

/** A value of `{group}` or `{region}` in paths. */
export const CatalogValue = z
  .strictObject({ slug: z.string().meta({ description: 'As paths name it.' }), label: z.string() })
  .meta({ id: 'CatalogValue' });
export type CatalogValue = Frozen<z.output<typeof CatalogValue>>;
