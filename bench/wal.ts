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

/** Bytes of the records that changed a table, its indexes and toasted values included. */
export interface WalOfTable {
  readonly table: string;
  readonly bytes: number;
}

export interface WalContent {
  /**
   * Bytes of whole pages. The first change of a page after a checkpoint puts all of the page into
   * the log: how much that is says when the last checkpoint was, and nothing of what a call writes.
   */
  readonly fullPageBytes: number;
  /** Without whole pages; the largest first. */
  readonly tables: readonly WalOfTable[];
}

/** A record that changes several tables counts for each by its part of the pages changed. */
const BY_TABLE = `
with changed as (
  select relfilenode, (record_length - sum(block_fpi_length) over same) / count(*) over same as bytes
    from pg_get_wal_block_info($1::pg_lsn, $2::pg_lsn)
  window same as (partition by start_lsn)
)
select coalesce(o.relname, c.relname) as "table", sum(w.bytes)::float8 as bytes
  from changed w
  join pg_class c on c.relfilenode = w.relfilenode
  left join pg_index i on i.indexrelid = c.oid
  left join pg_class o on o.oid = i.indrelid
 group by 1 order by 2 desc`;

/** Content of the write-ahead log between two positions. The server must have `pg_walinspect`. */
export async function walContent(pool: pg.Pool, from: string, to: string): Promise<WalContent> {
  await pool.query('create extension if not exists pg_walinspect');
  const pages = await pool.query<{ bytes: number }>(
    'select coalesce(sum(fpi_size), 0)::int8 as bytes from pg_get_wal_stats($1::pg_lsn, $2::pg_lsn)',
    [from, to],
  );
  const { rows: tables } = await pool.query<WalOfTable>(BY_TABLE, [from, to]);
  return { fullPageBytes: pages.rows[0]?.bytes ?? Number.NaN, tables };
}
