import { z } from 'zod';
import { LEVELS, LIMITS, REGIONS, RESOURCE_NAMES, SERIES_TYPES } from '#rating/resource.js';

// What rate cards look like in bodies and answers. What is wrong with one is said by
// `validateRateCard`, which knows more than a schema can say.

const credits = z.int().min(0);
const slug = z.string().regex(/^[a-z0-9-]+$/);

const match = z
  .strictObject({
    resource: z.enum(RESOURCE_NAMES).optional(),
    level: z.enum(LEVELS).optional(),
    type: z.enum(SERIES_TYPES).optional(),
    limit: z.enum(LIMITS).optional(),
    region: z.enum(REGIONS).optional(),
    group: slug.max(64).optional(),
    category: slug
      .max(200)
      .optional()
      .meta({ description: 'Slug of a listing, or id of the category of related trends.' }),
  })
  .meta({ description: 'All that is given must be as in the resource; `{}` matches everything.' });

const dataCost = z.union([
  z.strictObject({ flat: credits.meta({ description: 'Credits for any answer.' }) }),
  z.strictObject({ per_row: credits.meta({ description: 'Credits for each row or point.' }) }),
]);

const ruleMembers = {
  name: z.string().min(1).max(100).meta({ description: 'Unique in its card.' }),
  match,
  data_cost: dataCost,
} as const;

export const windowLabel = z.string().regex(/^[1-9]\d{3}w\d{2}$/);
export const callCost = credits.meta({ description: 'Credits of every call.' });

export const rules = z.array(z.strictObject(ruleMembers)).min(1).max(200).meta({
  description: 'Tried in order: the first that matches gives the data cost. The last matches `{}`.',
});

/** A rule and its place among the others. */
export const placedRule = z.strictObject({
  position: z.int().min(0).meta({ description: 'Its place in the card, from 0.' }),
  ...ruleMembers,
});
