import pg from 'pg';
import { LANE_GROUPS } from '#event-log/event-log.js';
import type { TestDatabase } from './test-database.js';

/** A role of which rows can be kept, as of no administrator. */
const ROLE = 'popindex_test_of_lanes';
const ROLE_LOCK = 7_407_102;

/**
 * Lets lanes of a plain PostgreSQL be away as those of a server of a cluster are: whoever connects
 * by `url` reads by groups, and a statement that touches a row of such a lane fails, or hangs. So
 * does one that writes what every server of a cluster holds.
 */
export class LanesAway {
  private constructor(
    private readonly client: pg.Client,
    /** For the service. */
    readonly url: string,
  ) {}

  static async prepare(database: Pick<TestDatabase, 'url'>): Promise<LanesAway> {
    const client = new pg.Client({ connectionString: database.url });
    await client.connect();
    const { rows } = await client.query<{ name: string }>('select current_database() as name');
    const name = pg.escapeIdentifier(rows[0]?.name ?? '');
    await client.query(`select pg_advisory_lock(${ROLE_LOCK})`);
    const known = await client.query('select from pg_roles where rolname = $1', [ROLE]);
    if (known.rowCount === 0) await client.query(`create role ${ROLE}`);
    await client.query(`select pg_advisory_unlock(${ROLE_LOCK})`);
    await client.query(`
      alter database ${name} set popindex.lane_groups = ${LANE_GROUPS};
      grant create on database ${name} to ${ROLE};
      grant all on schema public to ${ROLE};
      create table away (lane int2 primary key, hangs boolean not null);
      create function answers(asked int2) returns boolean language plpgsql security definer as $$
      declare silent boolean;
      begin
        select hangs into silent from away where lane = asked or asked is null limit 1;
        if not found then return true; end if;
        if silent then perform pg_sleep(600); end if;
        raise exception 'connection to the server of lane % failed', asked using errcode = '08006';
      end $$;
      do $$
      declare name text; is_by_lane boolean;
      begin
        for name, is_by_lane in
          select c.relname, bool_and(a.attname is not null)
            from pg_class c
            join pg_index i on i.indrelid = c.oid and i.indisunique
            left join pg_attribute a on a.attrelid = c.oid and a.attname = 'lane'
                                    and a.attnum = any (i.indkey)
           where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
             and c.relname not in ('away', 'migrations')
           group by c.relname
        loop
          if name in ('profile', 'invoice_number', 'text_key', 'receipt_key', 'secret') then
            execute format('create policy of_all on %I with check (answers(null))', name);
            execute format('create policy reads on %I for select using (true)', name);
          elsif is_by_lane then
            execute format('create policy of_lane on %I using (answers(lane))', name);
          else
            continue;
          end if;
          execute format('alter table %I enable row level security', name);
        end loop;
      end $$;
      grant all on all tables in schema public to ${ROLE};
      grant all on all sequences in schema public to ${ROLE}`);
    const url = new URL(database.url);
    url.searchParams.set('options', `-c role=${ROLE}`);
    return new LanesAway(client, url.href);
  }

  /** From now on these lanes are away, and no others. */
  async set(lanes: readonly number[], how: 'fail' | 'hang' = 'fail'): Promise<void> {
    await this.client.query('delete from away');
    await this.client.query('insert into away select unnest($1::int2[]), $2', [
      lanes,
      how === 'hang',
    ]);
  }

  async end(): Promise<void> {
    await this.client.end();
  }
}
