import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import { constraintOf } from '#database/errors.js';
import { withTransaction } from '#database/database.js';
import { copyTables, type CopyTable } from './copy-rows.js';
import type { ReleaseContent } from './read-release.js';
import { releaseDigests } from './release-digests.js';
import type { ReleaseDigests } from './release-events.js';

const TABLES = [
  'release_category',
  'release_brand',
  'release_brand_category',
  'release_relation',
  'release_series',
  'release_figure',
  'release_load',
];
/** The written rows, before the log publishes them. */
export interface LoadedRelease {
  readonly load: number;
  readonly tables: ReleaseDigests;
}

const PIECE_CHARACTERS = 64 * 1024;
const ESCAPES: Readonly<Record<string, string>> = {
  '\\': '\\\\',
  '\t': '\\t',
  '\n': '\\n',
  '\r': '\\r',
};

/**
 * Writes a checked release under a number of its own, in one transaction, and answers the number
 * with the digests of its rows. Nobody sees it before the log publishes it. Imports that run at
 * once take their numbers in turn.
 */
export async function loadRelease(
  pool: pg.Pool,
  content: ReleaseContent,
  onTable: (table: string) => void = () => undefined,
): Promise<LoadedRelease> {
  for (;;) {
    try {
      const loaded = await withTransaction(pool, async (client) => {
        await client.query('set local statement_timeout = 0');
        const load = await takeNumber(client, content.sha256);
        for (const table of copyTables(content, load)) {
          onTable(table.table);
          await copy(client, table);
        }
        return { load, tables: await releaseDigests(client, load) };
      });
      await analyze(pool);
      return loaded;
    } catch (error) {
      // Another import took the number while this one waited for it: nothing was written yet.
      if (constraintOf(error) !== 'release_load_pkey') throw error;
    }
  }
}

/** Without fresh statistics the first answers would be planned for empty tables. */
async function analyze(pool: pg.Pool): Promise<void> {
  await withTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    for (const table of TABLES) await client.query(`analyze ${table}`);
  });
}

async function takeNumber(client: pg.ClientBase, sha256: string): Promise<number> {
  const { rows } = await client.query<{ load: number }>(
    `insert into release_load (load, sha256)
     select coalesce(max(load), 0) + 1, $1 from release_load returning load`,
    [sha256],
  );
  const load = rows[0]?.load;
  if (load === undefined) throw new Error('The database gave a load no number.');
  return load;
}

async function copy(client: pg.PoolClient, { table, columns, rows }: CopyTable): Promise<void> {
  const target = client.query(copyFrom(`copy ${table} (${columns.join(', ')}) from stdin`));
  await pipeline(Readable.from(pieces(rows)), target);
}

/** COPY's text format in pieces of some size: a write for each row would cost most of the time. */
function* pieces(rows: CopyTable['rows']): Generator<string> {
  let piece = '';
  for (const row of rows) {
    piece += `${row.map(copyValue).join('\t')}\n`;
    if (piece.length < PIECE_CHARACTERS) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

function copyValue(value: string | number | null): string {
  if (value === null) return '\\N';
  if (typeof value === 'number') return String(value);
  return value.replace(/[\\\t\n\r]/g, (character) => ESCAPES[character] ?? character);
}

/** Deletes everything that was written under these numbers. */
export async function deleteLoads(pool: pg.Pool, loads: readonly number[]): Promise<void> {
  if (loads.length === 0) return;
  await withTransaction(pool, async (client) => {
    await client.query('set local statement_timeout = 0');
    for (const table of TABLES) {
      await client.query(`delete from ${table} where load = any($1::int[])`, [loads]);
    }
  });
}

/** Numbers of all loads below one. */
export async function loadsBefore(pool: pg.Pool, load: number): Promise<number[]> {
  const { rows } = await pool.query<{ load: number }>(
    'select load from release_load where load < $1 order by load',
    [load],
  );
  return rows.map((row) => row.load);
}
