import type pg from 'pg';
import type { Projection } from './projection.js';
import { queryAnsweringAtOnce } from './query-answering.js';

export interface StoredProjection {
  readonly name: string;
  /** Version of the program that asks. */
  readonly version: number;
  /** Version of the rows; null where there are none yet. */
  readonly rowsVersion: number | null;
  /** Events of the log that its rows do not hold. */
  readonly behind: number;
}

/** State of each projection in the database, whichever process keeps it up. */
export async function storedProjections(
  db: pg.Pool,
  projections: readonly Projection[],
): Promise<StoredProjection[]> {
  const { rows } = await db.query<{ name: string; version: number | null; behind: number }>(
    `select p.name, min(c.version) as version,
            sum(l.position - coalesce(c.position, 0))::int8 as behind
       from unnest($1::text[]) as p (name) cross join lane l
       left join checkpoint c on c.projection = p.name and c.lane = l.lane
      group by p.name`,
    [projections.map(({ name }) => name)],
  );
  return projections.map(({ name, version }) => {
    const row = rows.find((candidate) => candidate.name === name);
    return { name, version, rowsVersion: row?.version ?? null, behind: row?.behind ?? 0 };
  });
}

/** Projections whose rows an older version has made, in one of the lanes that answer. */
export async function outdatedProjections(
  pool: pg.Pool,
  projections: readonly Projection[],
): Promise<readonly string[]> {
  const { rows } = await queryAnsweringAtOnce<{ name: string; version: number }>(pool, {
    text: `select c.projection as name, min(c.version) as version from checkpoint c
              where c.projection = any ($1) group by c.projection`,
    values: [projections.map(({ name }) => name)],
  });
  return projections
    .filter(({ name, version }) => rows.some((row) => row.name === name && row.version < version))
    .map(({ name }) => name);
}
