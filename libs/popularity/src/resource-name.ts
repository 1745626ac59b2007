import type { Resource } from '#rating/resource.js';

/** A text that names a resource in one release: equal for equal resources, whoever made them. */
export function resourceName(asked: Resource): string {
  switch (asked.resource) {
    case 'related-trends': {
      const { level, limit, region, category, group } = asked;
      return `related-trends ${level} ${limit} ${region} ${category} ${group}`;
    }
    case 'timeseries':
      return `timeseries ${asked.type} ${asked.region} ${asked.item}`;
    case 'trends':
    case 'brands': {
      const { resource, level, limit, region, category } = asked;
      return `${resource} ${level} ${limit} ${region} ${category}`;
    }
  }
}
