import fc from 'fast-check';
import { LEVELS, LIMITS, REGIONS, SERIES_TYPES } from './resource.js';
import type { Resource } from './resource.js';

const groups = fc.stringMatching(/^[a-z0-9-]{1,64}$/);
const slugs = fc.stringMatching(/^[a-z0-9-]{1,200}$/);
const uuids = fc.uuid();
const place = {
  level: fc.constantFrom(...LEVELS),
  limit: fc.constantFrom(...LIMITS),
  region: fc.constantFrom(...REGIONS),
};

/** Any resource that a metered path can name, for properties. */
export const anyResource: fc.Arbitrary<Resource> = fc.oneof(
  fc.record({
    resource: fc.constant('related-trends' as const),
    ...place,
    category: uuids,
    group: groups,
  }),
  fc.record({
    resource: fc.constant('timeseries' as const),
    type: fc.constantFrom(...SERIES_TYPES),
    region: place.region,
    item: uuids,
  }),
  fc.record({
    resource: fc.constantFrom('trends' as const, 'brands' as const),
    ...place,
    category: fc.oneof(slugs, fc.constantFrom('beauty', 'skincare')),
  }),
);
