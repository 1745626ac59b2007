import type pg from 'pg';
import { openDatabase, withTransaction } from '#database/database.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { PostgresEventLog } from './postgres-event-log.js';
import { applyBatch, applyCollected, registerProjection } from './projection-batch.js';
import type { Projection, RowChanges } from './projection.js';

const LANE = 7;
const WRITES: number[][] = [];

/** Keeps positions until it has to write them. */
class Positions implements RowChanges {
  private positions: number[] = [];

  get size(): number {
    return this.positions.length;
  }

  add({ position }: { readonly position: number }): void {
    this.positions.push(position);
  }

  async write(): Promise<void> {
    WRITES.push(this.positions);
    this.positions = [];
  }
}

const keen: Projection = {
  name: 'keen',
  version: 1,
  tables: [],
  collect: () => new Positions(),
  apply: async (events) => void WRITES.push(events.map(({ position }) => position)),
};

let database: TestDatabase;
let pool: pg.Pool;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'collected.spec' });
  WRITES.length = 0;
  await registerProjection(pool, keen);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

async function append(events: number): Promise<void> {
  await appendAll(new PostgresEventLog(pool), [TestAccount.inLane(LANE).many(events)]);
}

function collect(changes: RowChanges, position: number, behind: number): Promise<number> {
  return withTransaction(pool, (client) =>
    applyCollected(client, keen, { lane: LANE, behind }, { changes, position }),
  );
}

test('all that is behind is collected, over as many pages as it takes, and written once', async () => {
  await append(4_500);
  expect(await collect(new Positions(), 0, 4_500)).toBe(4_500);
  expect(WRITES).toEqual([Array.from({ length: 4_500 }, (_, index) => index + 1)]);
});

test('what was collected goes on where it was written, up to the given position', async () => {
  await append(5);
  const changes = new Positions();
  expect(await collect(changes, 0, 3)).toBe(3);
  expect(await collect(changes, 3, 9)).toBe(2);
  expect(await collect(changes, 5, 9)).toBe(0);
  expect(WRITES).toEqual([
    [1, 2, 3],
    [4, 5],
  ]);
});

test('a lane that somebody else has moved on is left as it is', async () => {
  await append(5);
  const backlog = [{ lane: LANE, behind: 2 }];
  await withTransaction(pool, (client) => applyBatch(client, keen, backlog));
  expect(await collect(new Positions(), 0, 3)).toBe(0);
  expect(WRITES).toEqual([[1, 2]]);
});

test('a gap is an error, and nothing of it is written', async () => {
  await append(5);
  await pool.query('delete from event where lane = $1 and position = 4', [LANE]);
  await expect(collect(new Positions(), 0, 5)).rejects.toThrow('Lane 7 has a gap: 5 follows 3.');
  expect(WRITES).toEqual([]);
});
