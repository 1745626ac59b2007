import type pg from 'pg';
import { wordsOfName, wordsOfSearch } from '#rating/folded-text.js';

/** Asks a connection, a pool or the runner of a migration. */
export type Ask = <Row>(text: string, values: unknown[]) => Promise<readonly Row[]>;

/** Asks by a connection or a pool. */
export function askOf(db: pg.ClientBase | pg.Pool): Ask {
  return async <Row>(text: string, values: unknown[]) =>
    (await db.query<Row & pg.QueryResultRow>(text, values)).rows;
}

/** A table whose names are searched. */
interface NamedTable {
  readonly table: 'profile' | 'release_category' | 'release_brand';
  readonly key: Readonly<Record<string, 'uuid' | 'int'>>;
  /** The row's names, in SQL. */
  readonly names: string;
  /** Rows whose words are not those of their names, in SQL. */
  readonly stale: string;
}

const UNFOLDED = 'folded is null';

export const PROFILES: NamedTable = {
  table: 'profile',
  key: { id: 'uuid' },
  names: `concat_ws(' ', body ->> 'external_id', body ->> 'name', body -> 'buyer' ->> 'name',
                    body -> 'buyer' ->> 'email')`,
  // An older version that runs beside erases the names alone.
  stale: `(folded is null or (body::text = '{}' and folded <> ''))`,
};

export const CATEGORIES: NamedTable = {
  table: 'release_category',
  key: { load: 'int', id: 'uuid' },
  names: `label || ' ' || slug`,
  stale: UNFOLDED,
};

export const BRANDS: NamedTable = {
  table: 'release_brand',
  key: { load: 'int', id: 'uuid' },
  names: 'label',
  stale: UNFOLDED,
};

export const NAMED_TABLES = [PROFILES, CATEGORIES, BRANDS] as const;
const ROWS_MAX = 1_000;

/** The words of a name as the column `folded` holds them. */
export function foldedName(name: string): string {
  return wordsOfName(name).join(' ');
}

/**
 * Folds the names of all rows that lack it: an older version wrote them, or a backup of one held
 * them. To be called before a search; an index leads to these rows.
 */
export async function foldNames(ask: Ask, { table, key, names, stale }: NamedTable): Promise<void> {
  const columns = Object.keys(key);
  const parameters = Object.values(key).map((type, index) => `$${index + 3}::${type}[]`);
  const same = columns.map((column) => `t.${column} = v.${column}`).join(' and ');
  for (;;) {
    const rows = await ask<Record<string, unknown> & { names: string }>(
      `select ${columns.join(', ')}, ${names} as names from ${table} where ${stale} limit ${ROWS_MAX}`,
      [],
    );
    if (rows.length > 0) {
      // A name that was erased meanwhile leaves nothing.
      await ask(
        `update ${table} t set folded = v.folded
           from unnest($1::text[], $2::text[], ${parameters.join(', ')})
                as v (names, folded, ${columns.join(', ')})
          where ${same} and (${names}) = v.names`,
        [
          rows.map((row) => row.names),
          rows.map((row) => foldedName(row.names)),
          ...columns.map((column) => rows.map((row) => row[column])),
        ],
      );
    }
    if (rows.length < ROWS_MAX) return;
  }
}

/** Patterns that the column `folded` has to be like, all of them; without any it finds nothing. */
export function searchPatterns(search: string): readonly string[] {
  return wordsOfName(search).map((word) => `%${word.replaceAll(/[\\%_]/g, '\\$&')}%`);
}

/** Words that begin as those of a search do, as a `tsquery`; empty: it finds nothing. */
export function searchQuery(search: string, wordsMax: number): string {
  return wordsOfSearch(search)
    .slice(0, wordsMax)
    .map((word) => `'${word.replaceAll('\\', '\\\\').replaceAll("'", "''")}':*`)
    .join(' & ');
}

/** The `tsvector` of the column `folded`, in SQL. */
export const FOLDED_WORDS = `array_to_tsvector(string_to_array(nullif(folded, ''), ' '))`;
