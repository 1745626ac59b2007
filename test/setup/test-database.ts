import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { REFERENCE_TABLES } from '#database/cluster/distribute.js';
import { openDatabase } from '#database/database.js';
import { codeOf } from '#database/errors.js';
import { migrate } from '#database/migrate.js';
import { LANE_GROUPS, type LaneGroups } from '#event-log/event-log.js';
import { storedGroups } from '#event-log/stored-groups.js';
import { ALL_MIGRATIONS } from '#database/migrations/all-migrations.js';
import { joinCluster, urlAt, workersOf } from '../../bench/join-cluster.js';
import { distributeTest } from './test-cluster.js';

export interface TestDatabase {
  /** Connection string of a database of its own. */
  readonly url: string;
  /** Lanes that its log appends to together. */
  readonly groups: LaneGroups;
  /** Removes it, whoever is still connected. */
  readonly drop: () => Promise<void>;
}

/** A database that others are copies of. */
export interface Template {
  /** Of the database. The one that was made stays. */
  readonly name: string;
  /** Fills a database that is empty or migrated, and leaves no connection to it. */
  readonly fill: (url: string) => Promise<unknown>;
}

/** Made once for each state of the migrations. */
const MIGRATED: Template = { name: `popindex_template_${migrationsHash()}`, fill: migrate };

/**
 * Suites whose statements about lanes go by groups on a plain PostgreSQL, too, as they do on a
 * cluster: the contract of the log, and those of credits and invoices. All others run as a plain
 * PostgreSQL does.
 */
const BY_GROUP =
  /\/postgres-event-log\.|\/stories\/(?:backup|budgets|charging|credits|invoices|month-end)\.|\/libs\/rest\/src\/(?:accounts|budgets|credits|disputes|exports|periods|search|statements|whole-log)\/|\/verify-invoice\.|\/invoicing\/src\/(?:credit-notes|to-do-list|exchange-rates|held-invoices|invoice-runs|invoices|receivables|reissue|reminders)\.spec/;
const DROPS_MAX = 20;
const OBJECT_IN_USE = '55006';
/** Keeps the making of templates to one process at a time. */
const TEMPLATE_LOCK = 7_407_101;

/**
 * Makes a database that nobody else uses, in a few hundredths of a second: a copy of a template,
 * which is made once. Needs TEST_DATABASE_URL, a connection string with the right to create
 * databases; on the coordinator of a Citus cluster the database is one of the cluster.
 */
export async function createTestDatabase(template = MIGRATED): Promise<TestDatabase> {
  const admin = adminUrl();
  const name = `popindex_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await asAdmin(admin, async (client) => {
    await ensureTemplate(client, admin, template);
    // With tests at the same time, checkpoints cost less than writing all of it to the log.
    await onEveryServer(
      client,
      `create database ${name} template ${template.name} strategy file_copy`,
    );
    if (isByGroup()) {
      await client.query(`alter database ${name} set popindex.lane_groups = '${LANE_GROUPS}'`);
    }
  });
  const url = databaseUrl(admin, name);
  return {
    url,
    groups: await (groups ??= groupsOf(url)),
    drop: () =>
      asAdmin(admin, async (client) => {
        await dropEverywhere(client, name);
      }),
  };
}

function isByGroup(): boolean {
  return BY_GROUP.test(expect.getState().testPath ?? '');
}

function adminUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined || url === '') {
    throw new Error('TEST_DATABASE_URL must name a PostgreSQL in which tests create databases.');
  }
  return url;
}

async function ensureTemplate(client: pg.Client, admin: string, template: Template): Promise<void> {
  if (await exists(client, template.name)) return;
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  if (!(await exists(client, template.name))) await makeTemplate(client, admin, template);
  await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
}

/** Made under another name first: a run that was killed half-way leaves no half-made template. */
async function makeTemplate(
  client: pg.Client,
  admin: string,
  { name, fill }: Template,
): Promise<void> {
  const building = `${name}_building`;
  const workers = await workersOf(client);
  await dropEverywhere(client, building);
  await onEveryServer(client, `create database ${building}`);
  const url = databaseUrl(admin, building);
  if (workers.length > 0) {
    await joinCluster(url, workers);
    await migrate(url);
    await distributeTest(url);
  }
  await fill(url);
  // A cluster keeps a program connected to each of its databases: nobody copies what is in use.
  await onEveryServer(client, `alter database ${building} with allow_connections false`);
  await onEveryServer(
    client,
    `select pg_terminate_backend(pid, 10000) from pg_stat_activity where datname = '${building}'`,
  );
  await onEveryServer(client, `alter database ${building} rename to ${name}`);
}

/** A cluster's own program may connect again in the middle of it. */
async function dropEverywhere(client: pg.Client, name: string): Promise<void> {
  for (let left = DROPS_MAX; ; left -= 1) {
    try {
      return await onEveryServer(client, `drop database if exists ${name} with (force)`);
    } catch (error) {
      if (left === 0 || codeOf(error) !== OBJECT_IN_USE) throw error;
    }
  }
}

async function onEveryServer(client: pg.Client, statement: string): Promise<void> {
  await client.query(statement);
  for (const worker of await workersOf(client)) {
    await asAdmin(urlAt(adminUrl(), worker), async (other) => void (await other.query(statement)));
  }
}

/** Of all databases: they are copies. */
let groups: Promise<LaneGroups> | undefined;

async function groupsOf(url: string): Promise<LaneGroups> {
  const pool = openDatabase({ url, applicationName: 'popindex-test' });
  try {
    return await storedGroups(pool);
  } finally {
    await pool.end();
  }
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

function migrationsHash(): string {
  const hash = createHash('sha256').update(String(REFERENCE_TABLES));
  for (const Migration of ALL_MIGRATIONS) hash.update(Migration.toString());
  return hash.digest('hex').slice(0, 12);
}

function databaseUrl(admin: string, name: string): string {
  const url = new URL(admin);
  url.pathname = `/${name}`;
  return url.href;
}

async function asAdmin(url: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}
