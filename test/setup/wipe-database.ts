import type pg from 'pg';

/** Takes away everything, migrations included: a database as it is created. Its cluster stays. */
export async function wipeDatabase(db: pg.Pool | pg.Client): Promise<void> {
  await db.query(`do $$
    declare own text;
    begin
      for own in select format('schema %I cascade', nspname) from pg_namespace n
                  where nspname like 'rebuild%'
                  union all
                 select format('table if exists %I cascade', tablename) from pg_tables
                  where schemaname = 'public'
                  union all
                 select 'routine ' || p.oid::regprocedure from pg_proc p
                  where p.pronamespace = 'public'::regnamespace and not exists (
                          select from pg_depend d where d.objid = p.oid and d.deptype = 'e')
      loop
        execute 'drop ' || own;
      end loop;
    end $$`);
}
