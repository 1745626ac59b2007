import { createHash, randomBytes } from 'node:crypto';
import pg from 'pg';
import { migrate } from '#database/migrate.js';
import { ALL_MIGRATIONS } from '#database/migrations/all-migrations.js';

export interface TestDatabase {
  /** Connection string of a database of its own. */
  readonly url: string;
  /** Removes it, whoever is still connected. */
  readonly drop: () => Promise<void>;
}

/** A database that others are copies of. */
export interface Template {
  /** Of the database. The one that was made stays. */
  readonly name: string;
  /** Fills an empty database, and leaves no connection to it. */
  readonly fill: (url: string) => Promise<unknown>;
}

/** Made once for each state of the migrations. */
const MIGRATED: Template = { name: `popindex_template_${migrationsHash()}`, fill: migrate };

/** Keeps the making of templates to one process at a time. */
const TEMPLATE_LOCK = 7_407_101;

/**
 * Makes a database that nobody else uses, in a few hundredths of a second: a copy of a template,
 * which is made once. Needs TEST_DATABASE_URL, a connection string with the right to create
 * databases.
 */
export async function createTestDatabase(template = MIGRATED): Promise<TestDatabase> {
  const admin = adminUrl();
  const name = `popindex_test_${process.pid}_${randomBytes(6).toString('hex')}`;
  await asAdmin(admin, async (client) => {
    await ensureTemplate(client, admin, template);
    // With tests at the same time, checkpoints cost less than writing all of it to the log.
    await client.query(`create database ${name} template ${template.name} strategy file_copy`);
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
  await client.query(`drop database if exists ${building} with (force)`);
  await client.query(`create database ${building}`);
  await fill(databaseUrl(admin, building));
  await client.query(`alter database ${building} rename to ${name}`);
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
