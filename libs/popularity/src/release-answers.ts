import { LEVELS, type Limit, type Listing, type RelatedTrends } from '#rating/resource.js';
import type { Resource, TimeSeries } from '#rating/resource.js';
import {
  brandDashboard,
  categoryDashboard,
  listingText,
  relatedTrendsText,
  timeSeriesText,
} from './answer-text.js';
import type { FoundCategory, ReleaseQueries } from './release-queries.js';
import { GLOBAL } from './regions.js';
import { globalSeries } from './series.js';

/** The text of an answer, or why there is none. */
export type AnswerText =
  | { readonly outcome: 'found'; readonly rows: number; readonly data: string }
  | { readonly outcome: 'unknown-item'; readonly detail: string }
  | { readonly outcome: 'no-data'; readonly detail: string };

const ROWS_MAX: Readonly<Record<Limit, number | null>> = { top5: 5, top100: 100, all: null };

/** Makes the answer of one resource from the rows of one load. */
export class ReleaseAnswers {
  constructor(
    private readonly queries: ReleaseQueries,
    /** Public address of the dashboards, without a slash at its end. */
    private readonly dashboardUrl: string,
  ) {}

  text(load: number, resource: Resource): Promise<AnswerText> {
    switch (resource.resource) {
      case 'related-trends':
        return this.#relatedTrends(load, resource);
      case 'timeseries':
        return this.#timeSeries(load, resource);
      case 'trends':
      case 'brands':
        return this.#listing(load, resource);
    }
  }

  async #relatedTrends(load: number, asked: RelatedTrends): Promise<AnswerText> {
    const { level, region, group } = asked;
    const categories = await this.queries.categoriesById(load, asked.category);
    const category = atLevel(categories, level);
    if (category === undefined) return unknownCategory(asked.category, level, categories);
    const rowsMax = ROWS_MAX[asked.limit];
    const items = await this.queries.related(load, region, category, rowsMax, group);
    if (items.length === 0) {
      const what = `Nothing is related to ${category.label} in group ${group} and ${region}`;
      return noData(`${what}: another group or region may hold something.`);
    }
    const dashboard = categoryDashboard(this.dashboardUrl, category.id, region, group);
    return found(items.length, relatedTrendsText(category, dashboard, items));
  }

  async #listing(load: number, asked: Listing): Promise<AnswerText> {
    const { resource, level, region } = asked;
    const categories = await this.queries.categoriesBySlug(load, asked.category);
    const category = atLevel(categories, level);
    if (category === undefined) return unknownCategory(asked.category, level, categories);
    const items = await this.queries[resource](load, region, category, ROWS_MAX[asked.limit]);
    if (items.length === 0) {
      const what = `There are no ${resource} of ${category.label} in ${region}`;
      return noData(`${what}: another region may hold some.`);
    }
    const dashboard = categoryDashboard(this.dashboardUrl, category.id, region, null);
    return found(items.length, listingText(resource, category, dashboard, items));
  }

  async #timeSeries(load: number, { type, region, item }: TimeSeries): Promise<AnswerText> {
    const isBrand = type === 'brand' && (await this.queries.hasBrand(load, item));
    const categories = isBrand ? [] : await this.queries.categoriesById(load, item);
    const isKnown = isBrand || (type === 'cat5' && atLevel(categories, 'cat5') !== undefined);
    if (!isKnown && type === 'cat5' && (await this.queries.hasBrand(load, item))) {
      return unknown(`"${item}" is a brand: ask for it with "brand" in the place of "cat5".`);
    }
    if (!isKnown) return unknownCategory(item, type, categories);
    const byRegion = await this.queries.series(load, item, region);
    const series = region === GLOBAL ? globalSeries(byRegion) : byRegion.get(region);
    if (series === undefined)
      return noData(`There are no volumes of ${item} in ${region}: another region may hold some.`);
    const dashboard =
      type === 'brand'
        ? brandDashboard(this.dashboardUrl, item, region)
        : categoryDashboard(this.dashboardUrl, item, region, null);
    return found(series.months.length, timeSeriesText(type, item, dashboard, series));
  }
}

function atLevel(
  categories: readonly FoundCategory[],
  level: (typeof LEVELS)[number],
): FoundCategory | undefined {
  return categories.find((one) => LEVELS[one.level - 1] === level);
}

/** `found`: those of that name at other levels. */
function unknownCategory(
  name: string,
  level: (typeof LEVELS)[number] | 'brand',
  found: readonly FoundCategory[],
): AnswerText {
  const what =
    level === 'brand'
      ? `There is no brand "${name}"`
      : `There is no category "${name}" at ${level}`;
  const levels = found.map((one) => LEVELS[one.level - 1]).join(', ');
  const where = levels === '' ? '.' : `: it is a category at ${levels}.`;
  return unknown(`${what}${where} /v1/catalog?level=${level} lists what there is.`);
}

function found(rows: number, data: string): AnswerText {
  return { outcome: 'found', rows, data };
}

function unknown(detail: string): AnswerText {
  return { outcome: 'unknown-item', detail };
}

function noData(detail: string): AnswerText {
  return { outcome: 'no-data', detail };
}
