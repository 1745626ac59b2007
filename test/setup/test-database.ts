import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '#database/migrate.js';
import { ALL_MIGRATIONS } from '#database/migrations/all-migrations.js';

export interface TestDatabase {
  /** Connection string of an empty, migrated database of its own. */
  readonly url: string;
  /** Removes it, whoever is still connected. */
  readonly drop: () => Promise<void>;
}

/** Keeps the making of the template to one process at a time. */
const TEMPLATE_LOCK = 7_407_101;

/**
 * Makes a migrated database that nobody else uses, in a few hundredths of a second: a copy of a
 * template that is made once for each state of the migrations. Needs TEST_DATABASE_URL, a
 * connection string with the right to create databases.
 */
export async function createTestDatabase(): Promise<TestDatabase> {
  const admin = adminUrl();
  const name = `popindex_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await asAdmin(admin, async (client) => {
    const template = await findOrMakeTemplate(client, admin);
    // With tests at the same time, checkpoints cost less than writing all of it to the log.
    await client.query(`create database ${name} template ${template} strategy file_copy`);
  });
  return {
    url: databaseUrl(admin, name),
    drop: () =>
      asAdmin(admin, async (client) => {
        await client.query(`drop database if exists ${name} with (force)`);
      }),
  };
}

function adminUrl(): string {
  const url = process.env.TEST_DATABASE_URL;
  if (url === undefined || url === '') {
    throw new Error('TEST_DATABASE_URL must name a PostgreSQL in which tests create databases.');
  }
  return url;
}

async function findOrMakeTemplate(client: pg.Client, admin: string): Promise<string> {
  const template = `popindex_template_${migrationsHash()}`;
  if (await exists(client, template)) return template;
  await client.query('select pg_advisory_lock($1)', [TEMPLATE_LOCK]);
  if (!(await exists(client, template))) await makeTemplate(client, admin, template);
  await client.query('select pg_advisory_unlock($1)', [TEMPLATE_LOCK]);
  return template;
}

/** Made under another name first: a run that was killed half-way leaves no half-made template. */
async function makeTemplate(client: pg.Client, admin: string, template: string): Promise<void> {
  const building = `${template}_building`;
  await client.query(`drop database if exists ${building} with (force)`);
  await client.query(`create database ${building}`);
  await migrate(databaseUrl(admin, building));
  await client.query(`alter database ${building} rename to ${template}`);
}

async function exists(client: pg.Client, name: string): Promise<boolean> {
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  return rowCount === 1;
}

function migrationsHash(): string {
  const hash = createHash('sha256');
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
