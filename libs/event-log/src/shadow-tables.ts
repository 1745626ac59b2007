import pg from 'pg';
import { distributeCopies } from '#database/cluster/distribute.js';
import type { Projection } from './projection.js';

interface Index {
  readonly table: string;
  readonly name: string;
  /** Its definition without its own name and its table's. */
  readonly shape: string;
}

/** Schema in which a projection is rebuilt, beside the tables that serve. */
export function shadowSchema({ name }: Projection): string {
  return `rebuild_${name}`;
}

/** Empty copies of a projection's tables and checkpoints; those of an earlier attempt are gone. */
export async function createShadow(client: pg.ClientBase, projection: Projection): Promise<void> {
  const schema = quoted(shadowSchema(projection));
  const tables = [...projection.tables, 'checkpoint', 'damaged_account'].map(quoted);
  await client.query(`drop schema if exists ${schema} cascade`);
  await client.query(`create schema ${schema}`);
  for (const table of tables) {
    await client.query(`create table ${schema}.${table} (like ${table} including all)`);
    // A vacuum would hold the table against the switch; it is to come once the rows serve.
    await client.query(`alter table ${schema}.${table} set (autovacuum_enabled = off)`);
  }
  await keepIndexNames(client, projection);
  await distributeCopies(
    client,
    [...projection.tables, 'checkpoint', 'damaged_account'],
    shadowSchema(projection),
  );
  await client.query(
    `insert into ${schema}.checkpoint (projection, version, lane, position)
     select $1, $2, lane, 0 from lane`,
    [projection.name, projection.version],
  );
}

export async function dropShadow(client: pg.ClientBase, projection: Projection): Promise<void> {
  await client.query(`drop schema if exists ${quoted(shadowSchema(projection))} cascade`);
}

/** Counts rows for the planner before anybody asks it. */
export async function analyzeShadow(client: pg.ClientBase, projection: Projection): Promise<void> {
  const schema = quoted(shadowSchema(projection));
  for (const table of projection.tables) await client.query(`analyze ${schema}.${quoted(table)}`);
}

/**
 * Puts the shadow's tables in the place of those that serve, inside the caller's transaction.
 * Throws what the server says when a reader holds one of them for longer than `lockMs`.
 */
export async function switchTables(
  client: pg.ClientBase,
  projection: Projection,
  lockMs: number,
): Promise<void> {
  const live = quoted(await liveSchema(client));
  const schema = quoted(shadowSchema(projection));
  const tables = projection.tables.map(quoted);
  await client.query(`set local lock_timeout to ${lockMs}`);
  const serving = tables.map((table) => `${live}.${table}`).join(', ');
  await client.query(`lock table ${serving} in access exclusive mode`);
  for (const table of tables) {
    await client.query(`drop table ${live}.${table}`);
    await client.query(`alter table ${schema}.${table} reset (autovacuum_enabled)`);
    await client.query(`alter table ${schema}.${table} set schema ${live}`);
  }
  await client.query('update checkpoint set version = $2 where projection = $1', [
    projection.name,
    projection.version,
  ]);
  await client.query(`delete from ${live}.damaged_account where projection = $1`, [
    projection.name,
  ]);
  await client.query(`insert into ${live}.damaged_account select * from ${schema}.damaged_account`);
}

async function liveSchema(client: pg.ClientBase): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_schema() as name');
  return rows[0]?.name ?? 'public';
}

/** A copy's indexes are named by a rule, and migrations know them by the names they were given. */
async function keepIndexNames(client: pg.ClientBase, projection: Projection): Promise<void> {
  const schema = shadowSchema(projection);
  const given = await indexes(client, await liveSchema(client), projection.tables);
  const left = await indexes(client, schema, projection.tables);
  for (const { table, name, shape } of given) {
    const at = left.findIndex((copy) => copy.table === table && copy.shape === shape);
    const [copy] = at < 0 ? [] : left.splice(at, 1);
    if (copy === undefined) throw new Error(`The copy of ${table} has no index like ${name}.`);
    if (copy.name === name) continue;
    const from = `${quoted(schema)}.${quoted(copy.name)}`;
    await client.query(`alter index ${from} rename to ${quoted(name)}`);
  }
}

async function indexes(
  client: pg.ClientBase,
  schema: string,
  tables: readonly string[],
): Promise<Index[]> {
  const { rows } = await client.query<Index>(
    `select tablename as table, indexname as name,
            regexp_replace(indexdef, 'INDEX .* ON .* USING', 'USING') as shape
       from pg_indexes where schemaname = $1 and tablename = any ($2) order by indexname`,
    [schema, tables],
  );
  return rows;
}

function quoted(name: string): string {
  return pg.escapeIdentifier(name);
}
