import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { wipeDatabase } from '../../../test/setup/wipe-database.js';
import { openDatabase } from './database.js';
import { migrate } from './migrate.js';
import { ALL_MIGRATIONS } from './migrations/all-migrations.js';
import { withSessionSettings } from './session-settings.js';

/** Settings that an administrator may have made, for the server, a database or a user. */
const SET: Readonly<Record<string, string>> = {
  timezone: 'Pacific/Kiritimati',
  datestyle: 'SQL, DMY',
  intervalstyle: 'sql_standard',
  bytea_output: 'escape',
  extra_float_digits: '-10',
  standard_conforming_strings: 'off',
  search_path: 'none_has_this_name',
  statement_timeout: '20ms',
  lock_timeout: '20ms',
  idle_in_transaction_session_timeout: '20ms',
  idle_session_timeout: '20ms',
  transaction_timeout: '20ms',
  default_transaction_isolation: 'serializable',
  default_transaction_deferrable: 'on',
};

let database: TestDatabase;
let client: pg.Client;

beforeEach(async () => {
  database = await createTestDatabase();
  client = new pg.Client({ connectionString: database.url });
  await client.connect();
});

afterEach(async () => {
  await client.end();
  await database.drop();
});

/** The settings of a new session that this program opens. */
async function settings(): Promise<Record<string, string>> {
  const pool = openDatabase({ url: database.url, applicationName: 'session-spec' });
  try {
    const { rows } = await pool.query<{ name: string; setting: string }>(
      `select lower(name) as name, setting from pg_settings where lower(name) = any ($1)`,
      [Object.keys(SET)],
    );
    return Object.fromEntries(rows.map(({ name, setting }) => [name, setting]));
  } finally {
    await pool.end();
  }
}

async function setAll(): Promise<void> {
  const { rows } = await client.query<{ name: string; db: string }>(
    `select lower(name) as name, current_database() as db from pg_settings
      where lower(name) = any ($1)`,
    [Object.keys(SET)],
  );
  for (const { name, db } of rows) {
    const value = client.escapeLiteral(SET[name] ?? '');
    // The value of a search path is a list of names.
    const to = name === 'search_path' ? SET[name] : value;
    await client.query(`alter database ${db} set ${name} = ${to}`);
  }
}

test('no session depends on settings of the database or its user', async () => {
  const before = await settings();
  expect(before).toMatchObject({ timezone: 'UTC', datestyle: 'ISO, YMD', search_path: 'public' });
  await setAll();
  expect(await settings()).toEqual(before);
});

test('neither does a migration', async () => {
  await wipeDatabase(client);
  await setAll();
  expect(await migrate(database.url)).toHaveLength(ALL_MIGRATIONS.length);
  const { rows } = await client.query(`select to_regclass('public.event') is not null as found`);
  expect(rows).toEqual([{ found: true }]);
});

test('a moment and bytes read the same', async () => {
  await setAll();
  const pool = openDatabase({ url: database.url, applicationName: 'session-spec' });
  const { rows } = await pool.query<{ at: Date; bytes: Buffer; text: string }>(
    `select to_timestamp(0) as at, '\\x00ff5c'::bytea as bytes, to_timestamp(0)::text as text`,
  );
  await pool.end();
  expect(rows).toEqual([
    { at: new Date(0), bytes: Buffer.from('00ff5c', 'hex'), text: '1970-01-01 00:00:00+00' },
  ]);
});

test.each([
  ['postgresql://u@h/name', 'public'],
  ['postgresql://u@h/name?options=-c%20search_path%3Dbilling&sslmode=require', 'billing'],
  ['postgresql:///name?host=/run/postgresql&options=-c+search_path%3Dbilling', 'billing'],
])('of %s the other parameters and options stay', (url, schema) => {
  const settled = withSessionSettings(url);
  expect(withSessionSettings(settled)).toBe(settled);
  const { options, ...others } = Object.fromEntries(new URL(settled).searchParams);
  const { options: _options, ...given } = Object.fromEntries(new URL(url).searchParams);
  expect(others).toEqual(given);
  const paths = [...String(options).matchAll(/search_path=(\w+)/g)].map(([, name]) => name);
  expect(paths.at(-1)).toBe(schema);
  expect(options).toMatch(/-c timezone=UTC -c datestyle=ISO,YMD .*-c idle_session_timeout=0$/);
});
