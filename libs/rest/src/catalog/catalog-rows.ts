import type pg from 'pg';
import {
  askOf,
  BRANDS,
  CATEGORIES,
  foldNames,
  searchPatterns,
} from '#database/names/folded-names.js';
import { comparisonFor } from '#projections/views/pages.js';
import { LEVELS } from '#rating/resource.js';
import { BadCursorError } from '#web/read-errors.js';
import { decodePlace, encodePlace } from '#web/cursor.js';
import type { Table } from '#web/table-answer.js';
import { isUuid } from '#web/uuid.js';
import type { CatalogQuery } from './catalog-queries.js';
import type { CatalogItem } from './catalog.schemas.js';

const LIST = 'catalog';
const NUMBER = /^[1-9]\d{0,8}$/;
const PARTS = ['category', 'brand'] as const;

type Part = (typeof PARTS)[number];

/** Behind an item: the number of a category in the tree, or a brand's label and id. */
interface Place {
  readonly part: Part;
  readonly place: string;
  readonly id: string;
}

type Row = Omit<CatalogItem, 'id'> & { readonly id: string; readonly place: string };

/** Categories in the order of the tree, then brands by label. Throws BadCursorError. */
export async function catalogPage(
  pool: pg.Pool,
  load: number,
  query: CatalogQuery,
): Promise<Table<CatalogItem>> {
  const after = query.after === undefined ? null : placeOf(query.after);
  const parts = query.order === 'asc' ? PARTS : PARTS.toReversed();
  const begun = parts.slice(after === null ? 0 : parts.indexOf(after.part));
  const rows: Row[] = [];
  for (const part of begun.filter((each) => holds(each, query))) {
    const wanted = query.limit + 1 - rows.length;
    if (wanted === 0) break;
    const behind = after?.part === part ? after : null;
    rows.push(...(await rowsOf(pool, load, part, query, behind, wanted)));
  }
  const items = rows.slice(0, query.limit);
  const last = rows.length > query.limit ? items.at(-1) : undefined;
  return {
    items: items.map(({ place: _place, ...item }) => item),
    next: last === undefined ? null : encodePlace(LIST, [partOf(last), last.place, last.id]),
  };
}

function partOf({ level }: Row): Part {
  return level === 'brand' ? 'brand' : 'category';
}

function holds(part: Part, { level }: CatalogQuery): boolean {
  return level === undefined || (level === 'brand') === (part === 'brand');
}

async function rowsOf(
  pool: pg.Pool,
  load: number,
  part: Part,
  query: CatalogQuery,
  after: Place | null,
  limit: number,
): Promise<Row[]> {
  const { order, parent_id: parent = null, id = null } = query;
  const level = LEVELS.find((each) => each === query.level)?.slice(-1) ?? null;
  const patterns = query.search === undefined ? null : searchPatterns(query.search);
  if (patterns !== null) await foldNames(askOf(pool), part === 'category' ? CATEGORIES : BRANDS);
  const shown = [load, patterns, parent, id];
  const { rows } =
    part === 'category'
      ? await pool.query<Row>({
          name: `catalog-categories-${order}`,
          text: categoriesText(order),
          values: [...shown, limit, after?.place ?? null, level],
        })
      : await pool.query<Row>({
          name: `catalog-brands-${order}`,
          text: brandsText(order),
          values: [...shown, limit, after?.place ?? null, after?.id ?? null],
        });
  return rows;
}

function categoriesText(order: CatalogQuery['order']): string {
  return `
    select id::text, 'cat' || level as level, label, slug, parent_id::text, first::text as place
      from release_category
     where load = $1 and ($2::text[] is null or cardinality($2) > 0 and folded like all ($2))
       and ($3::uuid is null or parent_id = $3) and ($4::uuid is null or id = $4)
       and ($6::int is null or first ${comparisonFor(order)} $6) and ($7::int is null or level = $7)
     order by first ${order} limit $5`;
}

function brandsText(order: CatalogQuery['order']): string {
  return `
    select b.id::text, 'brand' as level, b.label, null as slug, null as parent_id, b.label as place
      from release_brand b
     where b.load = $1 and ($2::text[] is null or cardinality($2) > 0 and b.folded like all ($2))
       and ($3::uuid is null or exists (
         select from release_category c
           join release_brand_category bc on bc.load = c.load
            and bc.category between c.first and c.last and bc.brand = b.id
          where c.load = b.load and c.id = $3))
       and ($4::uuid is null or b.id = $4)
       and ($6::text is null or (b.label, b.id) ${comparisonFor(order)} ($6 collate "C", $7::uuid))
     order by b.label ${order}, b.id ${order} limit $5`;
}

function placeOf(cursor: string): Place {
  const [name, place = '', id = ''] = decodePlace(LIST, 3, cursor);
  const part = PARTS.find((each) => each === name);
  const isPlace = part === 'brand' || NUMBER.test(place);
  if (part === undefined || !isPlace || !isUuid(id)) throw new BadCursorError(cursor);
  return { part, place, id };
}
