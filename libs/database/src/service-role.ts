import type pg from 'pg';
import { MIGRATIONS_TABLE } from './data-source.js';

/** Rights of the service on tables that it does not own; it owns every other table. */
const RIGHTS: Readonly<Record<string, string>> = {
  event: 'select, insert',
  batch: 'select, insert',
  lane: 'select, update',
  [MIGRATIONS_TABLE]: 'select',
};

/**
 * Gives `role` what the service needs after migrations, and takes everything else away: of the log
 * it may read and append, and never change or remove. All other tables become its own, as a rebuild
 * puts new ones in their place. Runs as the owner of the log, who has to be a superuser or a member
 * of `role`. Can be repeated; a table is locked only if its owner changes.
 */
export async function grantServiceRole(client: pg.ClientBase, role: string): Promise<void> {
  const to = client.escapeIdentifier(role);
  await client.query('begin');
  const { rows } = await client.query<{ database: string; schema: string }>(
    'select current_database() as database, current_schema() as schema',
  );
  const database = client.escapeIdentifier(rows[0]?.database ?? '');
  const schema = client.escapeIdentifier(rows[0]?.schema ?? '');
  await client.query(`grant connect, create, temporary on database ${database} to ${to}`);
  await client.query(`grant usage, create on schema ${schema} to ${to}`);
  for (const [table, rights] of Object.entries(RIGHTS)) {
    await client.query(`revoke all on ${table} from public, ${to}`);
    await client.query(`grant ${rights} on ${table} to ${to}`);
  }
  await handOver(client, role);
  await client.query('commit');
}

/** Tables of the service and schemas of its rebuilds that somebody else still owns. */
async function handOver(client: pg.ClientBase, role: string): Promise<void> {
  const { rows } = await client.query<{ kind: 'schema' | 'table'; name: string }>(
    `select 'schema' as kind, quote_ident(nspname) as name from pg_namespace
      where nspname like 'rebuild\\_%' and nspowner <> $1::regrole
     union all
     select 'table', format('%I.%I', n.nspname, c.relname)
       from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where c.relkind in ('r', 'p') and c.relowner <> $1::regrole
        and (n.nspname like 'rebuild\\_%'
             or n.nspname = current_schema() and c.relname <> all ($2::text[]))`,
    [client.escapeIdentifier(role), Object.keys(RIGHTS)],
  );
  for (const { kind, name } of rows) {
    await client.query(`alter ${kind} ${name} owner to ${client.escapeIdentifier(role)}`);
  }
}
