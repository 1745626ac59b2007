import { z } from 'zod';
import type { Frozen } from '../operation/frozen.js';
import { Level, Region, RowLimit, SeriesType } from '../rate-cards/resource.schemas.js';

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
    data: z.record(z.string(), z.unknown()).meta({ description: 'As in the answer of the API.' }),
  })
  .meta({ id: 'View' });
export type View = Frozen<z.output<typeof View>>;

const category = z.strictObject({
  id: uuid,
  level: Level,
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
    levels: z.array(Level),
    limits: z.array(RowLimit),
    regions: z.array(Region),
    types: z.array(SeriesType),
    groups: z.array(z.string()),
    categories: z.array(category).meta({ description: 'Each behind the one above it.' }),
  })
  .meta({ id: 'Catalog' });
export type Catalog = Frozen<z.output<typeof Catalog>>;

export const Brand = z.strictObject({ id: uuid, label: z.string() }).meta({ id: 'Brand' });
export type Brand = Frozen<z.output<typeof Brand>>;
