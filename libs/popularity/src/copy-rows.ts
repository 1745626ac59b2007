import { foldedName } from '#database/names/folded-names.js';
import { placesInTree, type Place } from './category-tree.js';
import { figureRows } from './figure-rows.js';
import { FIGURE_COLUMNS } from './figures.js';
import type { Change } from './metrics.js';
import { monthText } from './month.js';
import type { ReleaseContent } from './read-release.js';
import { decimalText } from './rounding.js';
import { VOLUME_DECIMALS } from './series.js';
import { STORED_SOURCES } from './sources.js';

/** Rows for one table, as values of PostgreSQL's COPY text; null is its null. */
export interface CopyTable {
  readonly table: string;
  readonly columns: readonly string[];
  readonly rows: Iterable<readonly (string | number | null)[]>;
}

const SHARE_DECIMALS = 6;

/** All that is written for a release, table by table; rows are made as they are asked for. */
export function copyTables(content: ReleaseContent, load: number): CopyTable[] {
  const places = placesInTree(content.categories.values());
  return [
    categoryRows(content, places, load),
    brandRows(content, load),
    brandCategoryRows(content, places, load),
    relationRows(content, places, load),
    seriesRows(content, load),
    figureTable(content, load),
  ];
}

function placeOf(places: ReadonlyMap<string, Place>, category: string): Place {
  const place = places.get(category);
  if (place === undefined) throw new Error(`Category ${category} hangs on no tree.`);
  return place;
}

function categoryRows(
  { categories }: ReleaseContent,
  places: ReadonlyMap<string, Place>,
  load: number,
): CopyTable {
  return {
    table: 'release_category',
    columns: [
      'load',
      'first',
      'last',
      'level',
      'id',
      'parent_id',
      'label',
      'slug',
      'life_cycle',
      'folded',
    ],
    rows: [...categories.values()].map(({ id, level, parentId, label, slug, lifeCycle }) => {
      const { first, last } = placeOf(places, id);
      const folded = foldedName(`${label} ${slug}`);
      return [load, first, last, level, id, parentId, label, slug, lifeCycle, folded];
    }),
  };
}

function brandRows({ brands }: ReleaseContent, load: number): CopyTable {
  return {
    table: 'release_brand',
    columns: ['load', 'id', 'label', 'folded'],
    rows: [...brands.values()].map(({ id, label }) => [load, id, label, foldedName(label)]),
  };
}

function brandCategoryRows(
  { brands }: ReleaseContent,
  places: ReadonlyMap<string, Place>,
  load: number,
): CopyTable {
  return {
    table: 'release_brand_category',
    columns: ['load', 'category', 'brand'],
    rows: [...brands.values()].flatMap(({ id, categories }) =>
      [...categories].map((category) => [load, placeOf(places, category).first, id]),
    ),
  };
}

function relationRows(
  { relations }: ReleaseContent,
  places: ReadonlyMap<string, Place>,
  load: number,
): CopyTable {
  return {
    table: 'release_relation',
    columns: ['load', 'category', 'group_name', 'related'],
    rows: relations.map(({ categoryId, group, relatedId }) => [
      load,
      placeOf(places, categoryId).first,
      group,
      relatedId,
    ]),
  };
}

function seriesRows({ series }: ReleaseContent, load: number): CopyTable {
  function* rows(): Generator<(string | number)[]> {
    for (const { item, byRegion } of series) {
      for (const [region, { months, bySource }] of byRegion) {
        const arrays = [
          months.map(monthText),
          ...STORED_SOURCES.map((_, at) => bySource[at] ?? []),
        ];
        yield [load, item, region, ...arrays.map((values) => `{${values.join(',')}}`)];
      }
    }
  }
  return {
    table: 'release_series',
    columns: ['load', 'item', 'region', 'months', ...STORED_SOURCES],
    rows: rows(),
  };
}

function figureTable({ series }: ReleaseContent, load: number): CopyTable {
  function* rows(): Generator<(string | number | null)[]> {
    for (const { item, region, figures } of figureRows(series)) {
      const { popularity, yoy, qoq, mom, shares } = figures;
      const changes = [yoy, qoq, mom].flatMap(changeTexts);
      const parts = STORED_SOURCES.map((_, at) => scaledText(shares[at] ?? null, SHARE_DECIMALS));
      const mean = decimalText(popularity, VOLUME_DECIMALS);
      yield [load, item, region, mean, ...changes, ...parts];
    }
  }
  return {
    table: 'release_figure',
    columns: ['load', 'item', 'region', ...FIGURE_COLUMNS],
    rows: rows(),
  };
}

function changeTexts({ percent, absolute }: Change): (string | null)[] {
  return [scaledText(percent, VOLUME_DECIMALS), scaledText(absolute, 0)];
}

function scaledText(scaled: bigint | null, decimals: number): string | null {
  return scaled === null ? null : decimalText(scaled, decimals);
}
