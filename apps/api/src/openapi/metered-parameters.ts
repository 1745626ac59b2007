import { LEVELS, LIMITS, REGIONS, SERIES_TYPES } from '#rating/resource.js';
import type { Parameter, Schema } from '#web/openapi-document.js';

function path(name: string, description: string, schema: Schema, example: unknown): Parameter {
  return { name, in: 'path', required: true, description, schema, example };
}

function header(name: string, description: string, schema: Schema): Parameter {
  return { name, in: 'header', required: false, description, schema };
}

const uuid = { type: 'string', format: 'uuid' };
const group = { type: 'string', pattern: '^[a-z0-9-]{1,64}$' };
const slug = { type: 'string', pattern: '^[a-z0-9-]{1,200}$' };
const item = 'b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c02';

/** Path parameters of the metered resources (specification 4), by name. */
export const PATH_PARAMETERS = {
  window: path(
    'window',
    '`latest`, or the label of the running or a past week.',
    { type: 'string', pattern: '^(?:latest|\\d{4}w\\d{2})$' },
    'latest',
  ),
  level: path('level', 'Level of the category.', { type: 'string', enum: LEVELS }, 'cat2'),
  type: path('type', 'A category or a brand.', { type: 'string', enum: SERIES_TYPES }, 'cat5'),
  limit: path(
    'limit',
    'How many rows. `top5` is meant for previews.',
    { type: 'string', enum: LIMITS },
    'top5',
  ),
  region: path('region', 'The region.', { type: 'string', enum: REGIONS }, 'us'),
  category_id: path('category_id', 'Id of the category, in any case.', uuid, item),
  item_id: path('item_id', 'Id of the category or brand, in any case.', uuid, item),
  group: path('group', 'The related group.', group, 'ingredients'),
  category_name: path('category_name', 'Slug of the category at that level.', slug, 'skincare'),
} as const;

/** Optional headers of a metered call. */
export const CALL_PARAMETERS: readonly Parameter[] = [
  header('Credits-Max', 'A ceiling: a call that costs more is refused, free of charge.', {
    type: 'integer',
    minimum: 0,
  }),
  header('Credits-Tag', 'Kept with the call: up to 5 pairs, as `team=nails, project=autumn`.', {
    type: 'string',
  }),
  header('Idempotency-Key', 'Names one call for ever: nothing is charged twice under it.', {
    type: 'string',
    pattern: '^[\\x21-\\x7e]{1,255}$',
  }),
  header(
    'If-None-Match',
    'Counts for a key that is paid for: a match is a 304 at the repeat fee.',
    {
      type: 'string',
    },
  ),
];
