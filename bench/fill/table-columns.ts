import type pg from 'pg';

export interface TableColumn {
  readonly name: string;
  /** As PostgreSQL writes it, for example `timestamp with time zone`. */
  readonly type: string;
}

/** Columns of a table in their order. */
export async function columnsOf(client: pg.ClientBase, table: string): Promise<TableColumn[]> {
  const { rows } = await client.query<TableColumn>(
    `select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
      where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`,
    [table],
  );
  return rows;
}
