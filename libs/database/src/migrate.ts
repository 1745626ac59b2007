import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { MIGRATIONS_TABLE, createDataSource } from './data-source.js';
import { ALL_MIGRATIONS } from './migrations/all-migrations.js';
import { isAtWorker, requireCoordinator } from './cluster/coordinator.js';
import { distribute, isDistributed } from './cluster/distribute.js';
import { chosenServer } from './server-choice.js';
import { settleSession } from './session-settings.js';
import { grantServiceRole } from './service-role.js';

const VERSION_NUMBER_MIN = 150_000;
const LOCK_POLL_MS = 50;
/** Any number will do as long as no other program locks it: the letters `popindex`. */
const MIGRATION_LOCK = '8101811010510010104';
const NAMES = ALL_MIGRATIONS.map((Migration) => new Migration().name);

/**
 * Thrown when this version must not touch the database. The message is a predicate of the database,
 * `has …`, and says what would help.
 */
export class MigrationRefusedError extends Error {
  override readonly name = 'MigrationRefusedError';
  constructor(
    readonly reason: 'server-too-old' | 'encoding' | 'other-schema' | 'database-newer',
    message: string,
  ) {
    super(message);
  }
}

/**
 * Brings the database up to this version, one process at a time: a second one waits and finds
 * nothing to do. New tables of a cluster are spread like the others. Answers the names of the
 * migrations that ran. Where the service connects as another user, by `serviceUrl`, that user gets
 * its rights. Throws MigrationRefusedError for a database that this version cannot serve, as
 * `refuseDatabase` does, or that a newer one has migrated, and CoordinatorAwayError.
 */
export async function migrate(url: string, serviceUrl = url): Promise<string[]> {
  const role =
    serviceUrl === url ? undefined : await withSession(await chosenServer(serviceUrl), userOf);
  const server = await chosenServer(url);
  return withSession(server, async (client) => {
    // One after the other, a cluster changes several of its tables in one transaction.
    await client.query(`set citus.multi_shard_modify_mode = 'sequential'`);
    await refuseDatabase(client);
    await holdLock(client);
    const done = await migrationsOf(client);
    refuseNewerDatabase(done);
    const isDone = NAMES.every((name) => done.includes(name));
    // While the coordinator is away a process starts on what it has left.
    if (isDone && (await isAtWorker(client))) return [];
    await requireCoordinator(client);
    const ran = isDone ? [] : await runPending(server);
    // Whoever ran the last ones may have ended before it came to this.
    if (await isDistributed(client)) await distribute(client);
    if (role !== undefined && role !== (await userOf(client))) await grantServiceRole(client, role);
    return ran;
  });
}

/** Of a log in a database: none, tables of another program, one of an older version, or all. */
export type LogPresence = 'none' | 'foreign' | 'older' | 'present';

/** Looks for a log and changes nothing. Throws MigrationRefusedError as `migrate` does. */
export async function findLog(url: string): Promise<LogPresence> {
  return withSession(await chosenServer(url), async (client) => {
    await refuseDatabase(client);
    const done = await migrationsOf(client);
    refuseNewerDatabase(done);
    if (done.length > 0) return NAMES.every((name) => done.includes(name)) ? 'present' : 'older';
    const { rowCount } = await client.query(
      'select from pg_tables where schemaname = current_schema() limit 1',
    );
    return rowCount === 0 ? 'none' : 'foreign';
  });
}

/** The end of the session releases its locks. */
async function withSession<Result>(
  server: string,
  work: (client: pg.Client) => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client({
    connectionString: server,
    application_name: 'popindex migration lock',
    connectionTimeoutMillis: 5_000,
  });
  // A loss while the migrations run ends this session and its lock; the next query reports it.
  client.on('error', () => undefined);
  try {
    await client.connect();
    await settleSession(client);
    return await work(client);
  } finally {
    await client.end();
  }
}

/**
 * Waits without a statement under way: its snapshot would keep an index from being made beside the
 * writers, for which the holder of the lock would wait in turn.
 */
async function holdLock(client: pg.Client): Promise<void> {
  for (;;) {
    const { rows } = await client.query<{ mine: boolean }>(
      'select pg_try_advisory_lock($1) as mine',
      [MIGRATION_LOCK],
    );
    if (rows[0]?.mine === true) return;
    await delay(LOCK_POLL_MS);
  }
}

async function userOf(client: pg.Client): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_user as name');
  return rows[0]?.name ?? '';
}

/** Throws MigrationRefusedError unless `versionNumber` (150018 is 15.18) is one that is served. */
export function refuseOldServer(versionNumber: number): void {
  if (versionNumber >= VERSION_NUMBER_MIN) return;
  const version = `${Math.floor(versionNumber / 10_000)}.${versionNumber % 10_000}`;
  throw new MigrationRefusedError(
    'server-too-old',
    `is a PostgreSQL ${version}, which is too old: 15 or newer is needed`,
  );
}

/**
 * Throws MigrationRefusedError for a PostgreSQL before 15, for a database that cannot hold every
 * text, and for one whose log lies in another schema than is looked in.
 */
export async function refuseDatabase(client: pg.ClientBase): Promise<void> {
  const { rows } = await client.query<DatabaseMake>(
    `select current_setting('server_version_num')::int as version,
            current_setting('server_encoding') as encoding,
            (select min(n.nspname)
               from pg_class c join pg_namespace n on n.oid = c.relnamespace
              where c.relname = $1 and to_regclass($1) is null
                and exists (select from pg_class e
                             where e.relnamespace = n.oid and e.relname = 'event')) as schema`,
    [MIGRATIONS_TABLE],
  );
  const { version = 0, encoding = '', schema = null } = rows[0] ?? {};
  refuseOldServer(version);
  if (encoding !== 'UTF8') {
    throw new MigrationRefusedError(
      'encoding',
      `has the encoding ${encoding}, and UTF8 is needed: create database … encoding 'UTF8' template template0`,
    );
  }
  if (schema !== null) {
    throw new MigrationRefusedError(
      'other-schema',
      `has its log in the schema ${schema}: add options=-c%20search_path%3D${encodeURIComponent(schema)} to the URL`,
    );
  }
}

interface DatabaseMake {
  readonly version: number;
  readonly encoding: string;
  /** Another one that holds a log, where the one that is looked in holds none. */
  readonly schema: string | null;
}

/** Names of the migrations that ran, in their order. */
async function migrationsOf(client: pg.Client): Promise<string[]> {
  const table = await client.query<{ found: boolean }>(
    'select to_regclass($1) is not null as found',
    [MIGRATIONS_TABLE],
  );
  if (table.rows[0]?.found !== true) return [];
  const { rows } = await client.query<{ name: string }>(
    `select name from ${MIGRATIONS_TABLE} order by id`,
  );
  return rows.map(({ name }) => name);
}

function refuseNewerDatabase(done: readonly string[]): void {
  const unknown = done.filter((name) => !NAMES.includes(name));
  if (unknown.length === 0) return;
  throw new MigrationRefusedError(
    'database-newer',
    `was migrated by a newer version (${unknown.join(', ')}): start that version, or restore a backup of this one`,
  );
}

async function runPending(server: string): Promise<string[]> {
  const dataSource = await createDataSource(server);
  await dataSource.initialize();
  try {
    const ran = await dataSource.runMigrations();
    return ran.map(({ name }) => name);
  } finally {
    await dataSource.destroy();
  }
}
