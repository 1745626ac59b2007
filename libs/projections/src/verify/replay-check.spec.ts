import type pg from 'pg';
import type { Projection } from '#event-log/projection.js';
import { LaneFindings } from './findings.js';
import { createReplayTables, ReplayCheck } from './replay-check.js';
import { LANE, SoundLog } from './sound-log.suite.js';

let log: SoundLog;

beforeAll(async () => {
  log = await SoundLog.make();
});

afterAll(() => log.drop());

type Row = readonly [state: string, head: string | null];

async function save(client: pg.ClientBase | pg.Pool, [state, head]: Row): Promise<void> {
  await client.query(
    `insert into ledger_snapshot (lane, account_id, version, state, head)
     values ($1, $2, 1, $3, decode($4, 'hex'))`,
    [LANE, log.accountId, state, head],
  );
}

/** Keeps one row, whatever happens. */
function keeping(row: Row, laterColumns?: Projection['laterColumns']): Projection {
  return {
    name: 'keeping',
    version: 1,
    tables: ['ledger_snapshot'],
    ...(laterColumns && { laterColumns }),
    apply: async (_, client) => save(client, row),
  };
}

async function differences(served: Row, projection: Projection): Promise<number> {
  await log.pool.query('delete from ledger_snapshot');
  await save(log.pool, served);
  return found(projection);
}

async function found(projection: Projection): Promise<number> {
  const client = await log.pool.connect();
  try {
    await createReplayTables(client, [projection]);
    await client.query('begin');
    const findings = new LaneFindings(LANE);
    const check = new ReplayCheck(client, findings, projection, 1);
    const [first] = await log.log.readAccount(log.accountId, 0, 1);
    if (first === undefined) throw new Error('The account has no event.');
    check.add(first);
    await check.end();
    return findings.differences().length;
  } finally {
    await client.query('rollback');
    client.release(true);
  }
}

const LATER = { ledger_snapshot: 'head' };

test.each<[string, Row, Projection['laterColumns'], number]>([
  ['is like the replayed one', ['{"version":1}', 'aa'], LATER, 0],
  ['of an earlier program lacks a later column', ['{"version":1}', null], LATER, 0],
  ['has a later column that is wrong', ['{"version":1}', 'bb'], LATER, 1],
  ['lacks a later column and has another one that is wrong', ['{"version":2}', null], LATER, 1],
  ['lacks a column that all programs wrote', ['{"version":1}', null], undefined, 1],
])('a row that %s is reported only where it is wrong', async (_, row, later, count) => {
  expect(await differences(row, keeping(['{"version":1}', 'aa'], later))).toBe(count);
});
