import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { EmbeddedPostgres } from '#embedded-postgres/embedded-postgres.js';
import { inLong } from '../../../../test/setup/long.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { LANE, OTHER_LANE, SoundLog } from './sound-log.suite.js';

const PAGE_BYTES = 8_192;

let folder: string;
let server: EmbeddedPostgres;
let log: SoundLog;
const { TEST_DATABASE_URL: given } = process.env;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-pages-'));
  server = await EmbeddedPostgres.start({ dataDir: folder });
  process.env.TEST_DATABASE_URL = server.url;
  log = await SoundLog.make();
}, 60_000);

afterEach(async () => {
  process.env.TEST_DATABASE_URL = given;
  await log.pool.end();
  await server.stop();
  await rm(folder, { recursive: true });
});

/** Overwrites a page of a table or an index while the server is stopped. */
async function damage(relation: string, block: number, bytes: Buffer, at = 0): Promise<void> {
  await log.pool.query('checkpoint');
  const { rows } = await log.pool.query<{ file: string }>(
    'select pg_relation_filepath($1) as file',
    [relation],
  );
  const { port } = new URL(server.url);
  await server.stop();
  const file = await open(path.join(folder, 'postgres', rows[0]?.file ?? ''), 'r+');
  await file.write(bytes, 0, bytes.length, block * PAGE_BYTES + at);
  await file.close();
  server = await EmbeddedPostgres.start({ dataDir: folder, port: Number(port) });
}

const GARBAGE = Buffer.alloc(PAGE_BYTES, 0xa5);

interface Block {
  readonly block: number;
  readonly lanes: readonly number[];
}

/** The pages of the log, with the lanes whose events are on each. */
async function blocks(): Promise<readonly Block[]> {
  const { rows } = await log.pool.query<Block>(
    `select (ctid::text::point)[0]::int as block, array_agg(distinct lane) as lanes
       from event group by 1 order by 1`,
  );
  return rows;
}

async function positionsOn({ block }: Block, lane: number): Promise<readonly number[]> {
  const { rows } = await log.pool.query<{ position: number }>(
    `select position from event where lane = $1 and (ctid::text::point)[0] = $2 order by position`,
    [lane, block],
  );
  return rows.map(({ position }) => position);
}

/** The report of a damaged log: findings by their checks, and the notes. */
async function report() {
  const { checks, lanes, intact, notCovered } = await log.verify();
  expect([lanes, intact]).toEqual([65, false]);
  const found = new Map(checks.map(({ check, first }) => [check, first]));
  return { found, notCovered };
}

test('an event on a page that cannot be read is named, and the others are verified', async () => {
  const all = await blocks();
  const last = all.at(-1);
  if (last === undefined || all.length < 2) throw new Error('The log has one page.');
  const lane = Math.min(...last.lanes);
  const positions = await positionsOn(last, lane);
  const [sound] = [LANE, OTHER_LANE].filter((one) => !last.lanes.includes(one));
  await log.sql(`update batch set hash = decode(repeat('00', 32), 'hex') where lane = $1`, [
    sound ?? SYSTEM_LANE,
  ]);
  await damage('event', last.block, GARBAGE);
  const { found, notCovered } = await report();
  expect(found.get('pages')).toMatchObject({
    table: 'event',
    key: `lane ${lane}, position ${positions[0]}`,
    found: expect.stringMatching(/^invalid page in block \d+ of relation/),
  });
  const [from, to] = [positions[0], positions.at(-1)];
  expect(notCovered).toContain(
    `Lane ${lane}: the database cannot read the events at ${from} to ${to}.`,
  );
  expect(found.get('chains')).not.toBeNull();
}, 60_000);

test('pages of zeros are missing events', async () => {
  await damage('event', 0, Buffer.alloc(PAGE_BYTES));
  const { found } = await report();
  expect(found.get('positions')).toMatchObject({ key: expect.stringMatching(/^lane \d+/) });
}, 60_000);

test.each([
  ['event_pkey', 'event_pkey'],
  ['batch', 'batch'],
  ['lane', 'lane'],
  ...inLong(
    ['profile', 'profile'],
    ['ledger_account', 'ledger_account'],
    ['checkpoint', 'checkpoint'],
  ),
])(
  'a page of %s that cannot be read is named',
  async (relation, table) => {
    await damage(relation, 0, GARBAGE);
    const { found } = await report();
    expect(found.get('pages')).toMatchObject({
      table,
      key: expect.stringMatching(/^lane \d+/),
      found: expect.stringContaining('invalid page in block 0'),
    });
  },
  60_000,
);

test.each([
  ['with checksums', 'off'],
  ['without checksums', 'on'],
])(
  'rows that are garbage on a page that looks whole end no verification %s',
  async (_what, ignored) => {
    await log.pool.query(`alter system set ignore_checksum_failure = ${ignored}`);
    await damage('event', 0, GARBAGE.subarray(0, 2_000), 5_000);
    const { found } = await report();
    expect([...found.values()].filter((first) => first !== null)).not.toEqual([]);
  },
  60_000,
);
