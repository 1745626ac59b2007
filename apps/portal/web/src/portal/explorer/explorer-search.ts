import { REGIONS } from '#popularity/regions.js';
import { LEVELS, LIMITS, RESOURCES, type ResourceName } from '#rating/resource.js';
import { pathOf } from '../../format/resource-path.js';
import { textsIn } from '../../frame/texts-in.js';
import type { Catalog } from '../../rest/answers.js';

/** The search of the explorer's address. */
export interface ExplorerSearch {
  /** `quote`: prices of many URLs; else one choice. */
  readonly tab?: 'quote' | undefined;
  readonly kind?: ResourceName | 'brand-timeseries' | undefined;
  readonly region?: string | undefined;
  readonly limit?: string | undefined;
  readonly group?: string | undefined;
  /** Id of a category. */
  readonly category?: string | undefined;
  /** Id of a brand, and its name to be shown. */
  readonly brand?: string | undefined;
  readonly name?: string | undefined;
}

export type ExplorerKind = NonNullable<ExplorerSearch['kind']>;

const KIND_LABELS: Readonly<Record<ExplorerKind, string>> = {
  trends: RESOURCES.trends.label,
  brands: RESOURCES.brands.label,
  'related-trends': RESOURCES['related-trends'].label,
  timeseries: 'Trend over time',
  'brand-timeseries': 'Brand over time',
};

export const EXPLORER_KINDS = Object.entries(KIND_LABELS).map(([value, label]) => ({
  value: value as ExplorerKind,
  label,
}));

const readNames = textsIn('region', 'limit', 'group', 'category', 'brand', 'name');

export function readExplorerSearch(search: Record<string, unknown>): ExplorerSearch {
  const kind = EXPLORER_KINDS.find(({ value }) => value === search.kind)?.value;
  const tab = search.tab === 'quote' ? search.tab : undefined;
  return { ...readNames(search), kind, tab };
}

/** Levels whose categories a kind can be asked for. */
export function levelsOf(kind: ExplorerKind): readonly string[] {
  if (kind === 'timeseries') return ['cat5'];
  if (kind === 'related-trends') return LEVELS;
  return ['cat1', 'cat2', 'cat3', 'cat4'];
}

/** All of a choice: what is not chosen, or does not fit the kind, is the first that fits. */
export function chosenOf(search: ExplorerSearch, catalog: Catalog) {
  const kind = search.kind ?? 'trends';
  const levels = levelsOf(kind);
  const fitting = catalog.categories.filter(({ level }) => levels.includes(level));
  const category = fitting.find(({ id }) => id === search.category) ?? fitting[0];
  return {
    kind,
    region: search.region ?? REGIONS[0],
    limit: search.limit ?? LIMITS[0],
    group: search.group ?? catalog.groups[0] ?? '',
    category,
    brand: search.brand,
  };
}

/** The path that a choice asks for; undefined while something is missing. */
export function explorerPath(search: ExplorerSearch, catalog: Catalog): string | undefined {
  const { kind, region, limit, group, category, brand } = chosenOf(search, catalog);
  if (kind === 'brand-timeseries') {
    if (brand === undefined) return undefined;
    return pathOf({ resource: 'timeseries', type: 'brand', region, item: brand });
  }
  if (category === undefined) return undefined;
  const { level, id, slug } = category;
  if (kind === 'timeseries') return pathOf({ resource: kind, type: level, region, item: id });
  const listing = { level, limit, region };
  if (kind === 'related-trends') {
    return pathOf({ resource: kind, ...listing, category: id, group });
  }
  return pathOf({ resource: kind, ...listing, category: slug });
}
