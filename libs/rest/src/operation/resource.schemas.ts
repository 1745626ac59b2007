import { z } from 'zod';
import { REGIONS } from '#popularity/regions.js';
import { LEVELS, LIMITS, RESOURCE_NAMES, SERIES_TYPES } from '#rating/resource.js';
import type { Form, Member } from '#rating/resource.js';

// Parts of the paths of metered resources.

export const Level = z.enum(LEVELS).meta({ id: 'Level' });
export const SeriesType = z.enum(SERIES_TYPES).meta({ id: 'SeriesType' });
export const RowLimit = z.enum(LIMITS).meta({ id: 'RowLimit' });
export const ResourceName = z.enum(RESOURCE_NAMES).meta({ id: 'ResourceName' });

/** Of the service: its regions are known at the start, when schemas are there already. */
export const Region = z
  .string()
  .superRefine((input, context) => {
    if (REGIONS.includes(input)) return;
    context.addIssue({ code: 'invalid_value', values: [...REGIONS], input });
  })
  .meta({
    id: 'Region',
    get enum() {
      return [...REGIONS];
    },
  });

const NAMED: ReadonlyMap<Form, z.ZodType> = new Map<Form, z.ZodType>([
  [LEVELS, Level],
  [SERIES_TYPES, SeriesType],
  [LIMITS, RowLimit],
  [RESOURCE_NAMES, ResourceName],
]);

/** The schema of a member of resources. */
export function memberSchema(member: Member | 'resource', form: Form): z.ZodType {
  return member === 'region' ? Region : formSchema(form);
}

function formSchema(form: Form): z.ZodType {
  if (form === 'uuid') return z.uuid();
  if (!('slugMax' in form)) return NAMED.get(form) ?? z.enum(form);
  return z
    .string()
    .regex(/^[a-z0-9-]+$/)
    .max(form.slugMax);
}
