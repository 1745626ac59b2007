import type pg from 'pg';

/** A constraint as it stood, ready to be added again. */
export interface TableConstraint {
  readonly table: string;
  readonly name: string;
  readonly definition: string;
}

/** Drops the keys of these tables, with their indexes; the caller's transaction adds them again. */
export async function dropConstraints(
  client: pg.ClientBase,
  tables: readonly string[],
): Promise<TableConstraint[]> {
  const { rows } = await client.query<TableConstraint>(
    `select t.name as "table", quote_ident(c.conname) as name,
            pg_get_constraintdef(c.oid) as definition
       from unnest($1::text[]) with ordinality as t (name, place)
       join pg_constraint c on c.conrelid = t.name::regclass and c.contype in ('p', 'u')
      order by t.place, c.oid`,
    [tables],
  );
  for (const { table, name } of rows) {
    await client.query(`alter table ${table} drop constraint ${name}`);
  }
  return rows;
}

/** Builds each key again from the rows. */
export async function addConstraints(
  client: pg.ClientBase,
  constraints: readonly TableConstraint[],
  onAdded: () => void,
): Promise<void> {
  await client.query(`set local maintenance_work_mem = '256MB'`);
  for (const { table, name, definition } of constraints) {
    await client.query(`alter table ${table} add constraint ${name} ${definition}`);
    onAdded();
  }
}
