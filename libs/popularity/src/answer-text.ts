import { RESOURCES, type Listing } from '#rating/resource.js';
import { figureMembers } from './figures.js';
import { decimalText } from './rounding.js';
import { VOLUME_DECIMALS, volumeAt, type Series } from './series.js';
import { monthText } from './month.js';

// Texts of specification 2.2 to 2.5, in the order of its tables. Numbers are written as they were
// computed, digit by digit. Each is a JSON object without its closing brace: the costs come last.

/** An item with its figures as texts in the order of `figureMembers`; null: one has no value. */
export interface RankedItem {
  readonly id: string;
  readonly label: string;
  readonly lifeCycle: string | null;
  readonly figures: readonly (string | null)[];
}

/** How an item is named: specification 2.3, 2.4, or a brand in the manner of 2.3. */
export type ItemShape = 'cat5' | 'related_trend' | 'brand';

export interface CategoryHead {
  readonly id: string;
  readonly label: string;
  /** 1 to 5. */
  readonly level: number;
}

/** `data` of related trends (specification 2.2); `items` are in the order of their rank. */
export function relatedTrendsText(
  category: CategoryHead,
  dashboard: string,
  items: readonly RankedItem[],
): string {
  const shape = category.level === 5 ? 'related_trend' : 'cat5';
  const head = `{"cat${category.level}_id":"${category.id}"`;
  return `${head},"dashboard":${JSON.stringify(dashboard)},"trends":${itemsText(items, shape)}`;
}

/** `data` of a listing of the trends or the brands of a category (specification 4.3). */
export function listingText(
  resource: Listing['resource'],
  category: CategoryHead,
  dashboard: string,
  items: readonly RankedItem[],
): string {
  const name = `cat${category.level}`;
  const label = JSON.stringify(category.label);
  const head = `{"${name}_id":"${category.id}","${name}_label":${label}`;
  const list = itemsText(items, resource === 'brands' ? 'brand' : 'cat5');
  return `${head},"dashboard":${JSON.stringify(dashboard)},"${RESOURCES[resource].list}":${list}`;
}

/** `data` of a time series (specification 2.5): one point for each month present, ascending. */
export function timeSeriesText(
  type: 'cat5' | 'brand',
  id: string,
  dashboard: string,
  series: Series,
): string {
  const points = series.months.map((month, index) => {
    const volume = decimalText(volumeAt(series, index), VOLUME_DECIMALS);
    return `{"date":"${monthText(month)}","real_volume":${volume}}`;
  });
  const head = `{"${type}_id":"${id}","dashboard":${JSON.stringify(dashboard)}`;
  return `${head},"timeseries":[${points.join(',')}]`;
}

function itemsText(items: readonly RankedItem[], shape: ItemShape): string {
  const members = figureMembers();
  return `[${items.map((item, index) => itemText(item, index + 1, shape, members)).join(',')}]`;
}

function itemText(
  item: RankedItem,
  rank: number,
  shape: ItemShape,
  members: readonly string[],
): string {
  const label = JSON.stringify(item.label);
  let text = `{"${shape}_id":"${item.id}","${shape}_label":${label},"rank":${rank}`;
  members.forEach((name, index) => {
    text += `,"${name}":${item.figures[index] ?? 'null'}`;
  });
  if (shape === 'related_trend') text += `,"life_cycle":${JSON.stringify(item.lifeCycle)}`;
  return `${text}}`;
}

/** Link to the dashboard of a category, with the related group where one was asked for. */
export function categoryDashboard(
  dashboardUrl: string,
  id: string,
  region: string,
  group: string | null,
): string {
  const related = group === null ? '' : `related=${group}&`;
  return `${dashboardUrl}/categories/${id}?${related}country=${region}`;
}

export function brandDashboard(dashboardUrl: string, id: string, region: string): string {
  return `${dashboardUrl}/brands/${id}?country=${region}`;
}
