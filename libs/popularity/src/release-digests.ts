import type pg from 'pg';
import type { ReleaseDigests, TableDigest } from './release-events.js';

/**
 * Columns over which a table's rows are hashed, those of its key first. They are for ever: a
 * release keeps the hash that was made of it when it was loaded.
 */
const COLUMNS: Readonly<Record<string, readonly [key: string, others: string]>> = {
  release_category: ['id', 'first, last, level, parent_id, label, slug, life_cycle'],
  release_brand: ['id', 'label'],
  release_brand_category: ['category, brand', ''],
  release_relation: ['group_name, category, related', ''],
  release_series: ['item, region', 'months, google, tiktok, instagram'],
  release_figure: [
    'region, item',
    'popularity, yoy_percent_increase, yoy_absolute_increase, qoq_percent_increase, ' +
      'qoq_absolute_increase, mom_percent_increase, mom_absolute_increase, ' +
      'google_share_percent, tiktok_share_percent, instagram_share_percent',
  ],
};

/**
 * Digests of all rows of a load: SHA-256 over the SHA-256 of each row's text, in the order of the
 * key. The database hashes, so that rows need not come here. In the caller's transaction.
 */
export async function releaseDigests(client: pg.ClientBase, load: number): Promise<ReleaseDigests> {
  const digests: Record<string, TableDigest> = {};
  for (const [table, [key, others]] of Object.entries(COLUMNS)) {
    const columns = others === '' ? key : `${key}, ${others}`;
    const { rows } = await client.query<TableDigest>(
      `select count(*)::int as rows, encode(sha256(coalesce(string_agg(
                sha256(convert_to(row(${columns})::text, 'UTF8')), ''::bytea order by ${key}
              ), ''::bytea)), 'hex') as sha256
         from ${table} where load = $1`,
      [load],
    );
    const [digest] = rows;
    if (digest !== undefined) digests[table] = digest;
  }
  return digests;
}
