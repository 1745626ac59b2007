import type pg from 'pg';
import { formatMoment } from '#calendar/instant.js';
import { MIGRATIONS_TABLE } from '#database/data-source.js';
import { ALL_MIGRATIONS } from '#database/migrations/all-migrations.js';
import { msOfMoment } from '#database/moment-of.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { BACKED_UP_TABLES } from './backed-up-tables.js';

/** Where a lane stands, and what its rows say of themselves. */
export interface LaneState {
  readonly lane: number;
  readonly position: number;
  /** 64 hex digits. */
  readonly head: string;
  readonly batches: number;
  /** Events that its batches claim to hold. */
  readonly batched: number;
}

export interface TableState {
  readonly table: string;
  readonly columns: readonly string[];
  /** For the order and the progress; a cluster may hold more by the time they are copied. */
  readonly rows: number;
}

/** The data to back up. */
export interface DatabaseState {
  readonly createdAt: string;
  readonly serverVersion: string;
  readonly migrations: readonly string[];
  readonly lanes: readonly LaneState[];
  readonly tables: readonly TableState[];
}

/** Reads what there is, or answers why this version can make no backup of it. */
export async function readState(client: pg.ClientBase): Promise<DatabaseState | string> {
  if (!(await exists(client, MIGRATIONS_TABLE))) return 'The database holds no log yet.';
  const migrations = await readMigrations(client);
  const known = new Set(ALL_MIGRATIONS.map((Migration) => new Migration().name));
  const unknown = migrations.filter((name) => !known.has(name));
  if (unknown.length > 0) {
    // Its newer tables would be missing from the backup.
    return `A newer version has migrated the database (${unknown.join(', ')}): back it up with that one.`;
  }
  const { rows } = await client.query<{ now: string; server_version: string }>(
    `select ${msOfMoment('now()')} as now, current_setting('server_version') as server_version`,
  );
  const [row] = rows;
  if (row === undefined) throw new Error('The database did not return the time.');
  return {
    createdAt: formatMoment(Number(row.now)),
    serverVersion: row.server_version,
    migrations,
    lanes: await readLanes(client),
    tables: await readTables(client),
  };
}

async function exists(client: pg.ClientBase, table: string): Promise<boolean> {
  const { rows } = await client.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
    [table],
  );
  return rows[0]?.found === true;
}

async function readMigrations(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ name: string }>(
    `select name from ${MIGRATIONS_TABLE} order by id`,
  );
  return rows.map(({ name }) => name);
}

/** The lane to which others refer last: in a cluster it may be newer than they are. */
async function readLanes(client: pg.ClientBase): Promise<LaneState[]> {
  const accounts = await readLanesWhere(client, `l.lane <> ${SYSTEM_LANE}`);
  return [...(await readLanesWhere(client, `l.lane = ${SYSTEM_LANE}`)), ...accounts];
}

async function readLanesWhere(client: pg.ClientBase, condition: string): Promise<LaneState[]> {
  const { rows } = await client.query<Record<'position' | 'batches' | 'batched', string> & LaneRow>(
    `select l.lane, l.position, encode(l.head, 'hex') as head,
            coalesce(b.batches, 0) as batches, coalesce(b.batched, 0) as batched
       from lane l
       left join (select lane, count(*) as batches, sum(events) as batched
                    from batch group by lane) b using (lane)
      where ${condition} order by l.lane`,
  );
  return rows.map(({ lane, head, position, batches, batched }) => ({
    lane,
    head,
    position: Number(position),
    batches: Number(batches),
    batched: Number(batched),
  }));
}

interface LaneRow {
  readonly lane: number;
  readonly head: string;
}

/** The tables of today's list that exist: an older database may lack the newest. */
async function readTables(client: pg.ClientBase): Promise<TableState[]> {
  const tables: TableState[] = [];
  for (const table of BACKED_UP_TABLES) {
    if (!(await exists(client, table))) continue;
    const { rows } = await client.query<{ name: string }>(
      `select attname as name from pg_attribute
        where attrelid = $1::regclass and attnum > 0 and not attisdropped and attgenerated = ''
        order by attnum`,
      [table],
    );
    const counted = await client.query<{ rows: string }>(`select count(*) as rows from ${table}`);
    const columns = rows.map(({ name }) => name);
    tables.push({ table, columns, rows: Number(counted.rows[0]?.rows ?? 0) });
  }
  return tables;
}
