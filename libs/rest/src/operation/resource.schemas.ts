import { z } from 'zod';
import { LEVELS, LIMITS, REGIONS, RESOURCE_NAMES, SERIES_TYPES } from '#rating/resource.js';
import type { Form } from '#rating/resource.js';

// Parts of the paths of metered resources.

export const Level = z.enum(LEVELS).meta({ id: 'Level' });
export const SeriesType = z.enum(SERIES_TYPES).meta({ id: 'SeriesType' });
export const RowLimit = z.enum(LIMITS).meta({ id: 'RowLimit' });
export const Region = z.enum(REGIONS).meta({ id: 'Region' });
export const ResourceName = z.enum(RESOURCE_NAMES).meta({ id: 'ResourceName' });

const NAMED: ReadonlyMap<Form, z.ZodType> = new Map<Form, z.ZodType>([
  [LEVELS, Level],
  [SERIES_TYPES, SeriesType],
  [LIMITS, RowLimit],
  [REGIONS, Region],
  [RESOURCE_NAMES, ResourceName],
]);

/** The schema of what may stand in a place of a path. */
export function formSchema(form: Form): z.ZodType {
  if (form === 'uuid') return z.uuid();
  if (!('slugMax' in form)) return NAMED.get(form) ?? z.enum(form);
  return z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .max(form.slugMax);
}
