import type pg from 'pg';

/** Where the server's write-ahead log ends. Everything that the server writes is in it. */
export async function walPosition(pool: pg.Pool): Promise<string> {
  const { rows } = await pool.query<{ at: string }>('select pg_current_wal_insert_lsn() as at');
  return rows[0]?.at ?? '0/0';
}

/** Bytes of write-ahead log between two positions. */
export async function walBetween(pool: pg.Pool, from: string, to: string): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>(
    'select pg_wal_lsn_diff($2::pg_lsn, $1::pg_lsn)::int8 as bytes',
    [from, to],
  );
  return rows[0]?.bytes ?? Number.NaN;
}

/**
 * Bytes of whole pages among them. The first change of a page after a checkpoint puts all of the
 * page into the log: how many bytes that makes says when the last checkpoint was, and nothing of
 * what a call writes. The server must have `pg_walinspect`.
 */
export async function fullPageBytes(pool: pg.Pool, from: string, to: string): Promise<number> {
  await pool.query('create extension if not exists pg_walinspect');
  const { rows } = await pool.query<{ bytes: number }>(
    'select coalesce(sum(fpi_size), 0)::int8 as bytes from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn)',
    [from, to],
  );
  return rows[0]?.bytes ?? Number.NaN;
}
