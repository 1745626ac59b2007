import pg from 'pg';

/**
 * Tables that every server holds whole: what is joined with rows of all lanes, and what calls and a
 * start need while the coordinator is away.
 */
export const REFERENCE_TABLES =
  /^(?:profile|invoice_number|release_\w+|text_key|receipt_key|secret|migration)$/;
/** The lane by which all that belongs to it lies on one server. */
const LANE = 'lane';
const APPEND = 'append_lanes';
/** How many shards the log may have: a group of lanes each. */
export const SHARDS = { min: 8, usual: 16, max: 32 };

export interface ClusterTable {
  readonly name: string;
  readonly placement: 'by lane' | 'everywhere' | 'coordinator';
}

/** Whether the tables of this database are spread over the servers of a cluster. */
export async function isDistributed(db: pg.Pool | pg.ClientBase): Promise<boolean> {
  const { rows } = await db.query<{ exists: boolean }>(
    `select to_regclass('pg_dist_partition') is not null as exists`,
  );
  if (rows[0]?.exists !== true) return false;
  const { rowCount } = await db.query(
    `select from pg_dist_partition where logicalrelid = to_regclass('event')`,
  );
  return rowCount === 1;
}

/**
 * Spreads the tables over the servers that the cluster knows: those whose key begins with or holds
 * the lane by lane, so that all of a lane lies on one server; what every lane is joined with
 * everywhere. Can be repeated: what is distributed already stays as it is. Answers what it moved.
 */
export async function distribute(
  client: pg.ClientBase,
  { shards = SHARDS.usual }: { readonly shards?: number } = {},
): Promise<ClusterTable[]> {
  const moved: ClusterTable[] = [];
  for (const { name, placement } of await undistributed(client)) {
    if (placement === 'coordinator') continue;
    if (name === 'event') {
      await client.query(
        `select create_distributed_table($1, '${LANE}', shard_count := $2, colocate_with := 'none')`,
        [name, shards],
      );
      await dropLocalRows(client, name);
    } else await distributeTable(client, name, placement === 'by lane');
    moved.push({ name, placement });
  }
  await distributeAppend(client);
  await limitConnecting(client);
  return moved;
}

/** Spreads empty copies of tables, in another schema, as the tables are spread; local ones stay. */
export async function distributeCopies(
  client: pg.ClientBase,
  tables: readonly string[],
  schema: string,
): Promise<void> {
  if (!(await isDistributed(client))) return;
  const { rows } = await client.query<{ copy: string; method: 'h' | 'n' }>(
    `select format('%I.%I', $2::text, name) as copy, p.partmethod as method
       from unnest($1::text[]) as name
       join pg_dist_partition p on p.logicalrelid = to_regclass(quote_ident(name))`,
    [tables, schema],
  );
  for (const { copy, method } of rows) await distributeTable(client, copy, method === 'h');
}

async function distributeTable(client: pg.ClientBase, table: string, isByLane: boolean) {
  const statement = isByLane
    ? `select create_distributed_table($1, '${LANE}', colocate_with := 'event')`
    : 'select create_reference_table($1)';
  await client.query(statement, [table]);
  await dropLocalRows(client, table);
}

/** The rows that the table held are copied by now; what is left of them here nobody reads. */
async function dropLocalRows(client: pg.ClientBase, table: string): Promise<void> {
  await client.query('select truncate_local_data_after_distributing_table($1)', [table]);
}

/** Tables that are not distributed, the log first: all others lie beside it. */
async function undistributed(client: pg.ClientBase): Promise<ClusterTable[]> {
  const { rows } = await client.query<{ name: string; by_lane: boolean }>(
    `select c.relname as name, bool_and(k.columns @> array['${LANE}'::name]) as by_lane
       from pg_class c
       join lateral (
         select array_agg(a.attname) as columns
           from pg_index i join pg_attribute a on a.attrelid = c.oid and a.attnum = any (i.indkey)
          where i.indrelid = c.oid and i.indisunique
          group by i.indexrelid) k on true
       left join pg_dist_partition p on p.logicalrelid = c.oid
      where c.relkind = 'r' and c.relnamespace = current_schema()::regnamespace
        and p.logicalrelid is null
      group by c.relname order by c.relname <> 'event', c.relname`,
  );
  return rows.map(({ name, by_lane: byLane }) => {
    if (REFERENCE_TABLES.test(name)) return { name, placement: 'everywhere' };
    return { name, placement: byLane ? 'by lane' : 'coordinator' };
  });
}

async function distributeAppend(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ signature: string }>(
    `select p.oid::regprocedure::text as signature from pg_proc p
      where p.proname = '${APPEND}' and p.proargnames[1] = 'group_lane'
        and p.pronamespace = current_schema()::regnamespace
        and not exists (
          select from pg_dist_object o
           where o.classid = 'pg_proc'::regclass and o.objid = p.oid
             and o.distribution_argument_index is not null)`,
  );
  for (const { signature } of rows) {
    await client.query(`select create_distributed_function($1, '$1', colocate_with := 'event')`, [
      signature,
    ]);
  }
}

/**
 * How long the coordinator waits for a connection to another server: shorter than a call may take,
 * so that a server that says nothing is known as one that is away.
 */
const CONNECT = { setting: 'citus.node_connection_timeout', value: '3s' };

/** Once: while a server is away no setting is changed. */
async function limitConnecting(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<{ database: string; is_set: boolean }>(
    `select current_database() as database, exists (
              select from pg_db_role_setting s join pg_database d on d.oid = s.setdatabase
               where d.datname = current_database() and setrole = 0
                 and exists (select from unnest(setconfig) c where starts_with(c, $1))) as is_set`,
    [`${CONNECT.setting}=`],
  );
  const [found] = rows;
  if (found === undefined || found.is_set) return;
  const database = pg.escapeIdentifier(found.database);
  await client.query(`alter database ${database} set ${CONNECT.setting} = '${CONNECT.value}'`);
}
