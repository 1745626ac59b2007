import { GROUP_LENGTH_MAX, type PathValues } from './path-values.js';
import { LEVELS, LIMITS, REGIONS, SERIES_TYPES } from './resource.js';
import type { Resource } from './resource.js';

export interface Reading {
  /** `latest`, a label, or what stands in its place and is a fault. */
  readonly window: string;
  readonly short: boolean;
  readonly resource: Resource;
}

/** Whether a text is the label of a week that exists. */
export type LabelCheck = (text: string) => boolean;

/** Reads the values of one shape; what is wrong with them is left in `values`. */
export type PathReader = (
  segments: readonly string[],
  values: PathValues,
  isLabel: LabelCheck,
) => Reading;

/**
 * The shape that the literal segments make; segment 0 is what stands before the first slash.
 *
 * Two shapes have seven segments. Only `/v1/x/trends/timeseries/popindex/…` (or `brands`) has the
 * literals of both, and it is valid in neither (`trends` is no type, `timeseries` no limit): no valid path can
 * be read in two ways. It is refused as a time series.
 */
export function readerOf(segments: readonly string[]): PathReader | undefined {
  if (segments[0] !== '' || segments[1] !== 'v1') return undefined;
  switch (segments.length) {
    case 8:
      if (segments[5] !== 'popindex') return undefined;
      if (segments[4] === 'timeseries') return readTimeSeries;
      return isListing(segments[3]) ? readShortListing : undefined;
    case 9:
      if (segments[6] !== 'popindex') return undefined;
      return isListing(segments[4]) ? readListing : undefined;
    case 10:
      if (segments[6] !== 'popindex') return undefined;
      return segments[4] === 'related-trends' ? readRelatedTrends : undefined;
    default:
      return undefined;
  }
}

function isListing(segment: string | undefined): boolean {
  return segment === 'trends' || segment === 'brands';
}

// The defaults below are never used: `readerOf` has counted the segments.

function readRelatedTrends(segments: readonly string[], values: PathValues, isLabel: LabelCheck) {
  const [, , window = '', level = '', , limit = '', , region = '', id = '', group = ''] = segments;
  return {
    window: values.window('window', window, isLabel),
    short: false,
    resource: {
      resource: 'related-trends' as const,
      level: values.oneOf('level', level, LEVELS),
      limit: values.oneOf('limit', limit, LIMITS),
      region: values.oneOf('region', region, REGIONS),
      category: values.uuid('category_id', id),
      group: values.slug('group', group, GROUP_LENGTH_MAX),
    },
  };
}

function readTimeSeries(segments: readonly string[], values: PathValues, isLabel: LabelCheck) {
  const [, , window = '', type = '', , , region = '', id = ''] = segments;
  return {
    window: values.window('window', window, isLabel),
    short: false,
    resource: {
      resource: 'timeseries' as const,
      type: values.oneOf('type', type, SERIES_TYPES),
      region: values.oneOf('region', region, REGIONS),
      item: values.uuid('item_id', id),
    },
  };
}

function readListing(segments: readonly string[], values: PathValues, isLabel: LabelCheck) {
  const [, , window = '', ...listing] = segments;
  return {
    window: values.window('window', window, isLabel),
    short: false,
    resource: listingOf(listing, values),
  };
}

function readShortListing(segments: readonly string[], values: PathValues) {
  return { window: 'latest', short: true, resource: listingOf(segments.slice(2), values) };
}

function listingOf(segments: readonly string[], values: PathValues) {
  const [level = '', items = '', limit = '', , region = '', category = ''] = segments;
  return {
    resource: items === 'brands' ? ('brands' as const) : ('trends' as const),
    level: values.oneOf('level', level, LEVELS),
    limit: values.oneOf('limit', limit, LIMITS),
    region: values.oneOf('region', region, REGIONS),
    category: values.slug('category_name', category),
  };
}
