import type pg from 'pg';
import type { CategoryHead, RankedItem } from './answer-text.js';
import type { Place } from './category-tree.js';
import { FIGURE_COLUMNS } from './figures.js';
import { monthNumber } from './month.js';
import { GLOBAL } from './regions.js';
import type { Series } from './series.js';
import { STORED_SOURCES } from './sources.js';

export type FoundCategory = CategoryHead & Place;

/** Ranked: by rounded popularity, then label and id by code point, which their collations are. */
const RANKING = 'order by f.popularity desc, item.label, item.id limit $5::int';
// As text, numbers arrive with the digits that were written, whatever the driver makes of types.
const FIGURE_TEXTS = FIGURE_COLUMNS.map((name) => `f.${name}::text`).join(', ');
const VOLUME_TEXTS = STORED_SOURCES.map((source) => `${source}::text`).join(', ');
const RANKED = `select item.id::text, item.label, item.life_cycle, ${FIGURE_TEXTS}`;

const TRENDS = `${RANKED}
  from release_category item
  join release_figure f on f.load = item.load and f.region = $2 and f.item = item.id
  where item.load = $1 and item.level = 5 and item.first between $3 and $4
  ${RANKING}`;

const BRANDS = `${RANKED}
  from (
    select load, id, label, null::text as life_cycle from release_brand
    where load = $1 and id in (
      select brand from release_brand_category
      where load = $1 and category between $3 and $4)
  ) as item
  join release_figure f on f.load = item.load and f.region = $2 and f.item = item.id
  ${RANKING}`;

const RELATED = `${RANKED}
  from release_category item
  join release_figure f on f.load = item.load and f.region = $2 and f.item = item.id
  where item.load = $1 and item.id in (
    select related from release_relation
    where load = $1 and group_name = $6 and category between $3 and $4)
  ${RANKING}`;

const CATEGORY = `select id::text, label, level, first, last from release_category`;

/** Reads of the tables of a load. Their rows never change. */
export class ReleaseQueries {
  constructor(private readonly pool: pg.Pool) {}

  /** The category of an id, at whatever level it is. */
  async categoriesById(load: number, id: string): Promise<readonly FoundCategory[]> {
    const { rows } = await this.pool.query<FoundCategory>({
      name: 'popularity-category-by-id',
      text: `${CATEGORY} where load = $1 and id = $2`,
      values: [load, id],
    });
    return rows;
  }

  /** The categories of a slug: at most one at each level. */
  async categoriesBySlug(load: number, slug: string): Promise<readonly FoundCategory[]> {
    const { rows } = await this.pool.query<FoundCategory>({
      name: 'popularity-category-by-slug',
      text: `${CATEGORY} where load = $1 and level in (1, 2, 3, 4, 5) and slug = $2 order by level`,
      values: [load, slug],
    });
    return rows;
  }

  async hasBrand(load: number, id: string): Promise<boolean> {
    const { rowCount } = await this.pool.query({
      name: 'popularity-brand',
      text: 'select from release_brand where load = $1 and id = $2',
      values: [load, id],
    });
    return rowCount === 1;
  }

  /** The cat5 items below a category, ranked; `rowsMax` null: all of them. */
  trends(load: number, region: string, below: Place, rowsMax: number | null) {
    return this.#ranked('trends', TRENDS, [load, region, below.first, below.last, rowsMax]);
  }

  /** The brands of a category and of those below it, ranked. */
  brands(load: number, region: string, below: Place, rowsMax: number | null) {
    return this.#ranked('brands', BRANDS, [load, region, below.first, below.last, rowsMax]);
  }

  /** The distinct items that relations of the cat5 categories below name in a group, ranked. */
  related(load: number, region: string, below: Place, rowsMax: number | null, group: string) {
    const values = [load, region, below.first, below.last, rowsMax, group];
    return this.#ranked('related', RELATED, values);
  }

  /** An item's series: that of the region, or for `global` those of all regions. */
  async series(load: number, item: string, region: string): Promise<Map<string, Series>> {
    const { rows } = await this.pool.query<string[]>({
      name: 'popularity-series',
      text: `select region, months::text, ${VOLUME_TEXTS}
               from release_series
              where load = $1 and item = $2 and ($3 = '${GLOBAL}' or region = $3)`,
      values: [load, item, region],
      rowMode: 'array',
    });
    return new Map(
      rows.map(([name = '', months = '', ...volumes]) => [
        name,
        {
          months: elements(months).map((text) => monthNumber(text) ?? Number.NaN),
          bySource: volumes.map((texts) => elements(texts).map(BigInt)),
        },
      ]),
    );
  }

  async #ranked(name: string, text: string, values: unknown[]): Promise<RankedItem[]> {
    const { rows } = await this.pool.query<(string | null)[]>({
      name: `popularity-${name}`,
      text,
      values,
      rowMode: 'array',
    });
    return rows.map(([id, label, lifeCycle, ...figures]) => ({
      id: id ?? '',
      label: label ?? '',
      lifeCycle: lifeCycle ?? null,
      figures,
    }));
  }
}

/** `{1,2}` → `['1', '2']`: arrays of numbers and dates hold nothing that is quoted. */
function elements(array: string): string[] {
  return array === '{}' ? [] : array.slice(1, -1).split(',');
}
