import type pg from 'pg';
import type { PublishedRelease } from './release-events.js';
import type { ReleaseContent } from './read-release.js';

/** Items that a release holds and a new one does not: calls of them would be `unknown-item`. */
export interface DroppedItems {
  /** Label of the release that holds them. */
  readonly release: string;
  readonly categories: number;
  readonly brands: number;
}

/** Items of the release that serves now which the new one lacks; null if none, or none serves. */
export async function droppedItems(
  pool: pg.Pool,
  running: PublishedRelease | undefined,
  { categories, brands }: Pick<ReleaseContent, 'categories' | 'brands'>,
): Promise<DroppedItems | null> {
  if (running === undefined) return null;
  const { load, label } = running;
  const missing = async (table: string, ids: ReadonlyMap<string, unknown>): Promise<number> => {
    const text = `select id::text as id from ${table} where load = $1`;
    const { rows } = await pool.query<{ id: string }>(text, [load]);
    return rows.filter(({ id }) => !ids.has(id)).length;
  };
  const dropped = {
    release: label,
    categories: await missing('release_category', categories),
    brands: await missing('release_brand', brands),
  };
  return dropped.categories + dropped.brands === 0 ? null : dropped;
}
