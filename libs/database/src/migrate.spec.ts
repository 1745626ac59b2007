import pg from 'pg';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { wipeDatabase } from '../../../test/setup/wipe-database.js';
import { MigrationRefusedError, migrate, refuseOldServer } from './migrate.js';
import { ALL_MIGRATIONS } from './migrations/all-migrations.js';

const names = ALL_MIGRATIONS.map((Migration) => new Migration().name);
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

test('an empty database gets every migration in order, and a second run none', async () => {
  await wipeDatabase(client);
  expect(await migrate(database.url)).toEqual(names);
  expect(await migrate(database.url)).toEqual([]);
  const { rows } = await client.query('select name from migration order by id');
  expect(rows.map(({ name }) => name)).toEqual(names);
});

test('two processes that start at once migrate once', async () => {
  await wipeDatabase(client);
  const [first, second] = await Promise.all([migrate(database.url), migrate(database.url)]);
  expect([...first, ...second]).toEqual(names);
});

test('a statement timeout of the database ends no wait for the migrations of another', async () => {
  await wipeDatabase(client);
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  await client.query(`alter database ${rows[0]?.name} set statement_timeout = '50ms'`);
  await client.query(`alter database ${rows[0]?.name} set lock_timeout = '50ms'`);
  const [first, second] = await Promise.all([migrate(database.url), migrate(database.url)]);
  expect([...first, ...second]).toEqual(names);
});

test('a database that a newer version has migrated is refused by name', async () => {
  await client.query(
    `insert into migration (timestamp, name) values (9999999999999, 'Future9999999999999')`,
  );
  const refusal = migrate(database.url);
  await expect(refusal).rejects.toThrow(MigrationRefusedError);
  await expect(refusal).rejects.toMatchObject({
    reason: 'database-newer',
    message:
      'was migrated by a newer version (Future9999999999999): start that version, or restore a backup of this one',
  });
});

test('a PostgreSQL before 15 is refused, 15 and newer are served', () => {
  expect(() => refuseOldServer(140_022)).toThrow(
    'is a PostgreSQL 14.22, which is too old: 15 or newer is needed',
  );
  expect(() => refuseOldServer(150_000)).not.toThrow();
  expect(() => refuseOldServer(180_004)).not.toThrow();
});

test('migration names are unique and end in ascending numbers of thirteen digits', () => {
  const numbers = names.map((name) => Number(/\d{13}$/.exec(name)?.[0]));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  expect(new Set(numbers).size).toBe(names.length);
  expect(numbers.every((number) => number > 0)).toBe(true);
});

test('the log begins with 65 lanes at position 0 and a head of zeros', async () => {
  const { rows } = await client.query(
    `select count(*)::int as lanes, min(lane) as first, max(lane) as last,
            max(position)::int as position,
            count(distinct head)::int as heads
     from lane`,
  );
  expect(rows[0]).toMatchObject({ lanes: 65, first: 0, last: 64, position: 0, heads: 1 });
  const { rows: heads } = await client.query(`select head from lane where lane = 64`);
  expect(heads[0].head).toEqual(Buffer.alloc(32));
});

test('whoever is signed in when sessions begin to end idle has the whole time from then on', async () => {
  await client.query(
    `alter table portal_session drop column used_at;
     alter table console_session drop column used_at;
     delete from migration where name like 'SessionUses%';
     insert into console_session values ('\\x01', '\\x02', now() - interval '2 hours', now() + interval '6 hours');
     insert into portal_session (id, account_id, role, opened_by, opened_at, link_hash,
                                 link_expires_at, redeemed_at, cookie_hash, expires_at)
     select gen_random_uuid(), gen_random_uuid(), 'viewer', 'owner', opened_at, cookie_hash,
            opened_at, opened_at, cookie_hash, expires_at from console_session`,
  );
  expect(await migrate(database.url)).toEqual(['SessionUses1763700000019']);
  const { rows } = await client.query(
    `select used_at > now() - interval '1 minute' as fresh from portal_session
     union all select used_at > now() - interval '1 minute' from console_session`,
  );
  expect(rows).toEqual([{ fresh: true }, { fresh: true }]);
});

test.each(['LATIN1', 'SQL_ASCII'])('a database of the encoding %s is refused', async (encoding) => {
  const name = `popindex_encoding_${process.pid}_${encoding.toLowerCase()}`;
  await client.query(
    `create database ${name} encoding '${encoding}' template template0 locale_provider libc locale 'C'`,
  );
  try {
    const url = new URL(database.url);
    url.pathname = name;
    await expect(migrate(url.href)).rejects.toMatchObject({
      reason: 'encoding',
      message: expect.stringMatching(`^has the encoding ${encoding}, and UTF8 is needed: [^\n]+$`),
    });
  } finally {
    await client.query(`drop database ${name}`);
  }
});

test('a log in a schema of its own is found by the URL alone, and none is begun beside it', async () => {
  await client.query('create schema billing');
  await wipeDatabase(client);
  const named = `${database.url}?options=-c%20search_path%3Dbilling`;
  expect(await migrate(named)).toEqual(names);
  await client.query(
    `alter role current_user in database ${await databaseName()} set search_path = billing`,
  );
  await expect(migrate(database.url)).rejects.toMatchObject({
    reason: 'other-schema',
    message: expect.stringContaining('add options=-c%20search_path%3Dbilling to the URL'),
  });
  expect(await migrate(named)).toEqual([]);
});

async function databaseName(): Promise<string> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name');
  return rows[0]?.name ?? '';
}
