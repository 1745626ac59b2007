import type pg from 'pg';
import { openDatabase, withTransaction } from '#database/database.js';
import { appendAll } from '../../../test/setup/log-steps.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { collectLane } from './collect-lane.js';
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

/** All collect a lane up to a position, at most so many events at a time. */
function collect(all: readonly Projection[], upTo: number, eventsMax = 20_000): Promise<void> {
  const { signal } = new AbortController();
  const options = { isShadow: false, eventsMax, signal, onApplied: () => undefined };
  return collectLane(pool, all, LANE, upTo, options);
}

async function reached({ name }: Projection): Promise<number> {
  const { rows } = await pool.query<{ position: number }>(
    'select position from checkpoint where projection = $1 and lane = $2',
    [name, LANE],
  );
  return rows[0]?.position ?? Number.NaN;
}

test('all that is behind is collected, over as many pages as it takes, and written once', async () => {
  await append(4_500);
  await collect([keen], 4_500);
  expect(WRITES).toEqual([Array.from({ length: 4_500 }, (_, index) => index + 1)]);
  expect(await reached(keen)).toBe(4_500);
});

test('what was collected goes on where it was written, up to the given position', async () => {
  await append(5);
  await collect([keen], 4, 2);
  expect(WRITES).toEqual([
    [1, 2],
    [3, 4],
  ]);
  expect(await reached(keen)).toBe(4);
});

test('several projections are handed the events of one reading', async () => {
  const seen: object[] = [];
  const collecting = (name: string): Projection => ({
    ...keen,
    name,
    collect: () => ({
      size: 0,
      add: (event) => void seen.push(event),
      write: async () => undefined,
    }),
  });
  const two = [collecting('one'), collecting('other')];
  for (const projection of two) await registerProjection(pool, projection);
  await append(5);
  await collect(two, 5);
  expect(seen.length).toBe(10);
  expect(new Set(seen).size).toBe(5);
  expect(await Promise.all(two.map(reached))).toEqual([5, 5]);
});

test('one that cannot take an event stands where it was written last, and the others go on', async () => {
  const picky: Projection = {
    ...keen,
    name: 'picky',
    collect: () => {
      const changes = new Positions();
      const add = ({ position }: { readonly position: number }): void => {
        if (position === 4) throw new Error('Not the fourth.');
        changes.add({ position });
      };
      return { size: 0, add, write: () => changes.write() };
    },
  };
  await registerProjection(pool, picky);
  await append(6);
  await collect([picky, keen], 6, 2);
  expect([await reached(picky), await reached(keen)]).toEqual([2, 6]);
});

test('a lane that somebody else has moved on is left as it is', async () => {
  await append(5);
  await withTransaction(pool, (client) => applyBatch(client, keen, [{ lane: LANE, behind: 2 }]));
  await collect([keen], 5);
  const moved = { lane: LANE, after: 0, upTo: 3 };
  const applied = await withTransaction(pool, (client) =>
    applyCollected(client, keen, moved, new Positions()),
  );
  expect(applied).toBe(false);
  expect(WRITES).toEqual([[1, 2]]);
  expect(await reached(keen)).toBe(2);
});

test('a lane in which all have rows is not read', async () => {
  await append(5);
  await collect([keen], 5);
  const queries = jest.spyOn(pool, 'query');
  await collect([keen], 5);
  expect(queries.mock.calls.length).toBe(1);
  expect(WRITES.length).toBe(1);
});

test('a gap is an error, and nothing of it is written', async () => {
  await append(5);
  await pool.query('delete from event where lane = $1 and position = 4', [LANE]);
  await expect(collect([keen], 5)).rejects.toThrow('Lane 7 has a gap: 5 follows 3.');
  expect(WRITES).toEqual([]);
});
