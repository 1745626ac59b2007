export type ResourceKind = 'trends' | 'brands' | 'related-trends' | 'timeseries';

/**
 * The resource of a key or a path. `item` is a category's slug, or the id of a category or brand.
 */
export interface ResourcePath {
  readonly window: string;
  readonly kind: ResourceKind;
  /** A category level, or the type of a time series. */
  readonly level: string;
  readonly limit: string | null;
  readonly region: string;
  readonly item: string;
  readonly group: string | null;
}

const LISTING = /^\/v1\/([^/]+)\/(cat[1-5])\/(trends|brands)\/([^/]+)\/popindex\/([^/]+)\/([^/]+)$/;
const RELATED =
  /^\/v1\/([^/]+)\/(cat[1-5])\/related-trends\/([^/]+)\/popindex\/([^/]+)\/([^/]+)\/([^/]+)$/;
const SERIES = /^\/v1\/([^/]+)\/(cat5|brand)\/timeseries\/popindex\/([^/]+)\/([^/]+)$/;

/** Reads a key or a path; undefined for what is none. */
export function readPath(path: string): ResourcePath | undefined {
  let found = LISTING.exec(path);
  if (found !== null) {
    const [, window = '', level = '', kind = '', limit = '', region = '', item = ''] = found;
    return { window, kind: kind as 'trends', level, limit, region, item, group: null };
  }
  found = RELATED.exec(path);
  if (found !== null) {
    const [, window = '', level = '', limit = '', region = '', item = '', group = ''] = found;
    return { window, kind: 'related-trends', level, limit, region, item, group };
  }
  found = SERIES.exec(path);
  if (found === null) return undefined;
  const [, window = '', level = '', region = '', item = ''] = found;
  return { window, kind: 'timeseries', level, limit: null, region, item, group: null };
}

/** The path that asks for it in the running window, or in the one it names. */
export function writePath(asked: ResourcePath): string {
  const { window, kind, level, limit, region, item, group } = asked;
  const start = `/v1/${window}/${level}/${kind}`;
  if (kind === 'timeseries') return `${start}/popindex/${region}/${item}`;
  const listing = `${start}/${limit ?? 'all'}/popindex/${region}/${item}`;
  return kind === 'related-trends' ? `${listing}/${group ?? ''}` : listing;
}

/** The same URL in whatever window is running: `/v1/2026w47/…` → `/v1/latest/…`. */
export function asLatest(key: string): string {
  return key.replace(/^\/v1\/\d{4}w\d{2}\//, '/v1/latest/');
}

const KIND_NAMES: Readonly<Record<ResourceKind, string>> = {
  trends: 'Trends',
  brands: 'Brands',
  'related-trends': 'Related trends',
  timeseries: 'Time series',
};

export function kindName(kind: ResourceKind): string {
  return KIND_NAMES[kind];
}

const LIMIT_NAMES: Readonly<Record<string, string>> = {
  top5: 'top 5',
  top100: 'top 100',
  all: 'all',
};

export function limitName(limit: string): string {
  return LIMIT_NAMES[limit] ?? limit;
}

/** `niacinamide-serum` → `Niacinamide serum` */
export function nameOfSlug(slug: string): string {
  const words = slug.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** A title and what stands small below it, for people: never the path itself. */
export function describePath(
  path: string,
  nameOf: (item: string) => string | undefined,
): { readonly title: string; readonly details: string; readonly window: string } {
  const asked = readPath(path);
  if (asked === undefined) return { title: path, details: '', window: '' };
  const isId = /^[0-9a-f]{8}-/.test(asked.item);
  const name = nameOf(asked.item) ?? (isId ? asked.item.slice(0, 8) : nameOfSlug(asked.item));
  const details = [
    KIND_NAMES[asked.kind] + (asked.limit === null ? '' : `, ${limitName(asked.limit)}`),
    ...(asked.group === null ? [] : [nameOfSlug(asked.group).toLowerCase()]),
    asked.region.toUpperCase(),
  ];
  return { title: name, details: details.join(' · '), window: asked.window };
}
