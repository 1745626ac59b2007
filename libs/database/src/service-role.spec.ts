import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { workersOf } from '../../../bench/join-cluster.js';
import { distributeTest } from '../../../test/setup/test-cluster.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { wipeDatabase } from '../../../test/setup/wipe-database.js';
import { migrate } from './migrate.js';

let database: TestDatabase;
let admin: pg.Client;
let service: pg.Client;
let owner: string;
let role: string;

function urlAs(user: string): string {
  const url = new URL(database.url);
  url.username = user;
  url.password = user;
  return url.href;
}

async function connect(url: string): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Runs the statements of docs/operating.md that an operator runs once. */
async function makeRoles(): Promise<void> {
  await admin.query(`create role ${owner} login password '${owner}'`);
  await admin.query(`create role ${role} login password '${role}'`);
  await admin.query(`grant ${role} to ${owner}`);
  const { rows } = await admin.query<{ name: string }>('select current_database() as name');
  await admin.query(`alter database ${rows[0]?.name} owner to ${owner}`);
}

beforeEach(async () => {
  database = await createTestDatabase();
  admin = await connect(database.url);
  const suffix = randomBytes(6).toString('hex');
  [owner, role] = [`owner_${suffix}`, `service_${suffix}`];
  await makeRoles();
});

afterEach(async () => {
  await service.end();
  await admin.end();
  await database.drop();
  const url = process.env.TEST_DATABASE_URL ?? '';
  const server = await connect(url);
  await server.query(`drop role ${role}`);
  await server.query(`drop role ${owner}`);
  await server.end();
});

/** A database that its owner migrates from nothing. */
async function startEmpty(): Promise<void> {
  await wipeDatabase(admin);
  await admin.query(`alter schema public owner to ${owner}`);
  await migrate(urlAs(owner), urlAs(role));
  service = await connect(urlAs(role));
}

async function stateOf(sql: string): Promise<string | undefined> {
  try {
    await service.query(sql);
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code;
  }
}

const EVENT = `insert into event (lane, position, account_id, account_version, type, at, data)
  values (1, 1, gen_random_uuid(), 1, 'Happened', now(), '{}')`;
const BATCH = `insert into batch (lane, last_position, events, hash)
  values (1, 1, 1, decode(repeat('00', 32), 'hex'))`;

const APPEND = `select append_lanes(
  2::int2, array[2]::int2[], array[0], array[decode(repeat('00', 32), 'hex')], array[1],
  array[decode(repeat('01', 32), 'hex')], array[2]::int2[], array[1], array[gen_random_uuid()],
  array[1], array[gen_random_uuid()], array['Happened'], array[now()], array['{}'::json]) as lanes`;

const SIGNATURE = `append_lanes(int2, int2[], int8[], bytea[], int8[], bytea[],
  int2[], int8[], uuid[], int8[], uuid[], text[], timestamptz[], json[])`;

const REFUSED = [
  `update event set data = '{}'`,
  'delete from event',
  'truncate event',
  'select * from event for update',
  'alter table event add column more int',
  'drop table event',
  'create trigger t before insert on event for each row execute function suppress_redundant_updates_trigger()',
  'create rule r as on insert to event do instead nothing',
  `update batch set events = 2`,
  'delete from batch',
  'truncate batch',
  'drop table batch',
  'delete from lane',
  'truncate lane',
  `drop function ${SIGNATURE}`,
  `alter function ${SIGNATURE} security definer`,
  'delete from migration',
  `insert into migration (timestamp, name) values (1, 'Mine')`,
  `create table mine (at bigint references lane)`,
];

test('a start of the service finds nothing to do, also where the tables are spread', async () => {
  await startEmpty();
  if ((await workersOf(admin)).length > 0) await distributeTest(database.url);
  expect(await migrate(urlAs(role))).toEqual([]);
});

test('the service appends to the log, and cannot change or remove what stands in it', async () => {
  await startEmpty();
  expect([await stateOf(EVENT), await stateOf(BATCH)]).toEqual([undefined, undefined]);
  expect(await stateOf('update lane set position = 1 where lane = 1')).toBeUndefined();
  expect((await service.query(APPEND)).rows).toEqual([{ lanes: [2] }]);
  for (const sql of REFUSED) expect([sql, await stateOf(sql)]).toEqual([sql, '42501']);
  const { rows } = await admin.query('select count(*)::int as events from event');
  expect(rows).toEqual([{ events: 2 }]);
});

test('the function that appends opens the log to nobody who may not write it', async () => {
  await startEmpty();
  await admin.query(`revoke insert on event from ${role}`);
  expect(await stateOf(APPEND)).toBe('42501');
});

test('all tables but those of the log belong to the service, whichever migration made them', async () => {
  await startEmpty();
  const { rows } = await admin.query<{ name: string; owner: string }>(
    `select tablename as name, tableowner as owner from pg_tables where schemaname = 'public'`,
  );
  const kept = rows.filter((row) => row.owner !== role);
  expect(kept.map(({ name }) => name).toSorted()).toEqual(['batch', 'event', 'lane', 'migration']);
  expect(new Set(kept.map((row) => row.owner))).toEqual(new Set([owner]));
});

test('a database that the service owned until now is handed over by the next start', async () => {
  await admin.query('create schema rebuild_ledger');
  await admin.query('create table rebuild_ledger.checkpoint (like checkpoint)');
  await admin.query(`grant all on event to ${role}`);
  await admin.query('grant delete on event to public');
  expect(await migrate(database.url, urlAs(role))).toEqual([]);
  service = await connect(urlAs(role));
  expect(await stateOf('delete from event')).toBe('42501');
  expect(await stateOf('drop schema rebuild_ledger cascade')).toBeUndefined();
  expect(await stateOf('drop table day_usage')).toBeUndefined();
});

test('who may not make tables can start on a database that is migrated', async () => {
  await startEmpty();
  expect(await migrate(urlAs(role))).toEqual([]);
  expect(await migrate(urlAs(owner), urlAs(role))).toEqual([]);
});
