export const LEVELS = ['cat1', 'cat2', 'cat3', 'cat4', 'cat5'] as const;
export const LIMITS = ['top5', 'top100', 'all'] as const;
export const REGIONS = ['us', 'gb', 'fr', 'kr', 'jp', 'global'] as const;
export const SERIES_TYPES = ['cat5', 'brand'] as const;
export const RESOURCE_NAMES = ['related-trends', 'timeseries', 'trends', 'brands'] as const;

export type Level = (typeof LEVELS)[number];
export type Limit = (typeof LIMITS)[number];
export type Region = (typeof REGIONS)[number];
export type SeriesType = (typeof SERIES_TYPES)[number];
export type ResourceName = (typeof RESOURCE_NAMES)[number];

/** Specification 4.1. `category` is a UUID in lower case. */
export interface RelatedTrends {
  readonly resource: 'related-trends';
  readonly level: Level;
  readonly limit: Limit;
  readonly region: Region;
  readonly category: string;
  readonly group: string;
}

/** Specification 4.2. `item` is a UUID in lower case. */
export interface TimeSeries {
  readonly resource: 'timeseries';
  readonly type: SeriesType;
  readonly region: Region;
  readonly item: string;
}

/** Specification 4.3. `category` is the slug of a category at `level`. */
export interface Listing {
  readonly resource: 'trends' | 'brands';
  readonly level: Level;
  readonly limit: Limit;
  readonly region: Region;
  readonly category: string;
}

/** What a metered call asks for, without the window: the same resource in every week. */
export type Resource = RelatedTrends | TimeSeries | Listing;
