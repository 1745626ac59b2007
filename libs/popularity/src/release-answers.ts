import { LEVELS, type Limit, type Listing, type RelatedTrends } from '#rating/resource.js';
import type { Resource, TimeSeries } from '#rating/resource.js';
import {
  brandDashboard,
  categoryDashboard,
  listingText,
  relatedTrendsText,
  timeSeriesText,
} from './answer-text.js';
import type { ReleaseQueries } from './release-queries.js';
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
    const category = await this.queries.categoryById(load, levelNumber(level), asked.category);
    if (category === undefined)
      return unknown(`There is no category "${asked.category}" at level ${level}.`);
    const rowsMax = ROWS_MAX[asked.limit];
    const items = await this.queries.related(load, region, category, rowsMax, group);
    if (items.length === 0) {
      return noData(`Nothing is related to ${category.label} in group ${group} and ${region}.`);
    }
    const dashboard = categoryDashboard(this.dashboardUrl, category.id, region, group);
    return found(items.length, relatedTrendsText(category, dashboard, items));
  }

  async #listing(load: number, asked: Listing): Promise<AnswerText> {
    const { resource, level, region } = asked;
    const category = await this.queries.categoryBySlug(load, levelNumber(level), asked.category);
    if (category === undefined)
      return unknown(`There is no category "${asked.category}" at level ${level}.`);
    const items = await this.queries[resource](load, region, category, ROWS_MAX[asked.limit]);
    if (items.length === 0) {
      return noData(`There are no ${resource} of ${category.label} in ${region}.`);
    }
    const dashboard = categoryDashboard(this.dashboardUrl, category.id, region, null);
    return found(items.length, listingText(resource, category, dashboard, items));
  }

  async #timeSeries(load: number, { type, region, item }: TimeSeries): Promise<AnswerText> {
    const isKnown =
      type === 'brand'
        ? await this.queries.hasBrand(load, item)
        : (await this.queries.categoryById(load, levelNumber('cat5'), item)) !== undefined;
    if (!isKnown) return unknown(`There is no ${type} "${item}".`);
    const byRegion = await this.queries.series(load, item, region);
    const series = region === 'global' ? globalSeries(byRegion) : byRegion.get(region);
    if (series === undefined) return noData(`There are no volumes of ${item} in ${region}.`);
    const dashboard =
      type === 'brand'
        ? brandDashboard(this.dashboardUrl, item, region)
        : categoryDashboard(this.dashboardUrl, item, region, null);
    return found(series.months.length, timeSeriesText(type, item, dashboard, series));
  }
}

function levelNumber(level: (typeof LEVELS)[number]): number {
  return LEVELS.indexOf(level) + 1;
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
