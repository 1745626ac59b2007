import pg from 'pg';
import { quickest } from '../../../test/setup/quickest.js';
import { createTestDatabase } from '../../../test/setup/test-database.js';
import { clockTimestamp, DatabaseClock } from './database-clock.js';

const START = Date.UTC(2026, 10, 24);

/** A world in which time passes only on command: its true time is the database's. */
class World {
  true = START;
  wallError = 0;
  monotonicStart = 12_345;
  tripMs = 10;
  asked = 0;
  away = false;
  readonly faults: string[] = [];

  readonly clock = new DatabaseClock({
    askDatabase: () => this.answer(),
    wallClock: () => this.true + this.wallError,
    monotonicClock: () => this.true - this.monotonicStart,
    onFault: (error) => this.faults.push(String(error)),
    samples: 3,
  });

  pass(durationMs: number): void {
    this.true += durationMs;
  }

  private async answer(): Promise<number> {
    this.asked += 1;
    await Promise.resolve();
    if (this.away) throw new Error('away');
    this.pass(this.tripMs / 2);
    const { true: now } = this;
    this.pass(this.tripMs / 2);
    return now;
  }
}

let world: World;

beforeEach(() => {
  world = new World();
});
afterEach(() => world.clock.stop());

test('it is not ready, and shows the wall clock, before the first measurement', () => {
  expect(world.clock.now()).toBe(START);
  expect(world.clock.ready()).toEqual({
    ready: false,
    detail: expect.stringMatching(/not been read/),
  });
});

test("after the first measurement it shows the database's time, and goes on by itself", async () => {
  world.wallError = -1_500;
  await world.clock.start();
  expect(world.asked).toBe(3);
  expect(world.clock.ready()).toEqual({ ready: true });
  expect(world.clock.now()).toBe(world.true);
  world.pass(4_321);
  expect(world.clock.now()).toBe(world.true);
});

test('a clock that is more than two seconds off is not ready, and says how far', async () => {
  world.wallError = 2_500;
  await world.clock.start();
  expect(world.clock.ready()).toEqual({
    ready: false,
    detail: "the clock is 2500 ms ahead of the database's",
  });
  world.wallError = 0;
  await world.clock.measure();
  expect(world.clock.ready()).toEqual({ ready: true });
});

test('a database that is away at the start leaves it unready, until one answers', async () => {
  world.away = true;
  await world.clock.start();
  expect(world.clock.ready().ready).toBe(false);
  expect(world.faults).toEqual(['Error: away']);
  world.away = false;
  await world.clock.measure();
  expect(world.clock.ready()).toEqual({ ready: true });
});

test('a database that goes away leaves the last offset', async () => {
  world.wallError = 700;
  await world.clock.start();
  world.away = true;
  world.pass(60_000);
  await world.clock.measure();
  expect(world.faults).toEqual(['Error: away']);
  expect(world.clock.ready()).toEqual({ ready: true });
  expect(world.clock.now()).toBe(world.true);
});

test('a jump makes it unready at once, opens no future, and is measured again', async () => {
  await world.clock.start();
  world.wallError = 7 * 86_400_000;
  world.pass(1_000);
  expect(world.clock.now()).toBe(world.true);
  const before = world.asked;
  expect(world.clock.ready()).toEqual({
    ready: false,
    detail: 'the clock has jumped by 604800000 ms',
  });
  await world.clock.measure();
  expect(world.asked).toBe(before + 3);
  expect(world.clock.ready().detail).toBe("the clock is 604800000 ms ahead of the database's");
});

test('a jump onto the right time is ready again as soon as it was measured', async () => {
  world.wallError = 30_000;
  await world.clock.start();
  expect(world.clock.ready().ready).toBe(false);
  world.wallError = 0;
  world.clock.ready();
  await world.clock.measure();
  expect(world.clock.ready()).toEqual({ ready: true });
  expect(world.clock.now()).toBe(world.true);
});

test('a jump while the database is away stays until the clock is back', async () => {
  await world.clock.start();
  world.away = true;
  world.wallError = -10_000;
  expect(world.clock.ready().ready).toBe(false);
  await world.clock.measure();
  expect(world.clock.ready().ready).toBe(false);
  world.wallError = 0;
  expect(world.clock.ready()).toEqual({ ready: true });
});

test('two measurements at once are one', async () => {
  await Promise.all([world.clock.measure(), world.clock.measure()]);
  expect(world.asked).toBe(3);
});

test('an answer that never comes ends its measurement in time', async () => {
  const faults: unknown[] = [];
  const clock = new DatabaseClock({
    askDatabase: () => new Promise(() => undefined),
    onFault: (error) => faults.push(error),
    timeoutMs: 20,
  });
  await clock.measure();
  expect(String(faults[0])).toContain('within 20 ms');
  expect(clock.ready().ready).toBe(false);
});

test('measurements go on by themselves until it is stopped', async () => {
  let asked = 0;
  let onThird: () => void = () => undefined;
  const third = new Promise<void>((resolve) => (onThird = resolve));
  const clock = new DatabaseClock({
    askDatabase: async () => {
      asked += 1;
      if (asked === 3) onThird();
      return Date.now();
    },
    onFault: () => undefined,
    samples: 1,
    intervalMs: 5,
  });
  await clock.start();
  await third;
  clock.stop();
  expect(clock.ready()).toEqual({ ready: true });
});

test("a real database returns its time to a millisecond's fraction", async () => {
  const database = await createTestDatabase();
  const pool = new pg.Pool({ connectionString: database.url });
  // Both run on one machine here.
  const offMs = await quickest(50, async () => {
    const clock = new DatabaseClock({ askDatabase: clockTimestamp(pool), onFault: fail });
    await clock.start();
    clock.stop();
    expect(clock.ready()).toEqual({ ready: true });
    return Math.abs(clock.now() - Date.now());
  });
  expect(offMs).toBeLessThan(50);
  await pool.end();
  await database.drop();
});

function fail(error: unknown): never {
  throw error;
}
