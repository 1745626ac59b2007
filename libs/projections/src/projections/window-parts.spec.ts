import fc from 'fast-check';
import { callAt, DAY, terms, TUESDAY } from '#account/scenario.suite.js';
import { withTransaction } from '#database/database.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { ledgerScene, SUMMED_EVERY, type Writer } from '../reads/ledger-scene.suite.js';
import { ReadSums } from './read-sums.js';
import { windowsProjection } from './windows.projection.js';

/** Events of a long part. */
const LONG = 16 * SUMMED_EVERY;
const TABLES = ['window_part', 'day_usage', 'usage_reached'];

const scene = ledgerScene();

/** Makes calls of keys that have these numbers, all at a moment. */
async function call(writer: Writer, at: number, keys: readonly number[]): Promise<void> {
  const window = terms.calendar.windowAt(at).label;
  for (const key of keys) {
    const name = `/v1/${window}/cat1/trends/top5/popindex/us/${String(key).padStart(4, '0')}`;
    writer.decide(at, callAt(at, { key: name }));
  }
  await writer.flush();
}

async function rowsOf(writer: Writer, table: string): Promise<string[]> {
  const { rows } = await scene.pool.query<{ row: string }>(
    `select t::text as row from ${table} t where account_id = $1 order by 1`,
    [writer.id],
  );
  return rows.map(({ row }) => row);
}

async function allRows(writer: Writer): Promise<string[][]> {
  const found: string[][] = [];
  for (const table of TABLES) found.push(await rowsOf(writer, table));
  return found;
}

/** Keys in each row of an account, in the order of its events. */
async function sizes(writer: Writer): Promise<number[]> {
  const { rows } = await scene.pool.query<{ keys: number }>(
    `select cardinality(keys) as keys from window_part where account_id = $1 order by after`,
    [writer.id],
  );
  return rows.map(({ keys }) => keys);
}

/** Makes the rows again from the first event on, so many events for each time they are written. */
async function collect(writer: Writer, events: readonly StoredEvent[], every: number) {
  for (const table of TABLES) {
    await scene.pool.query(`delete from ${table} where account_id = $1`, [writer.id]);
  }
  const read = new ReadSums(terms.calendar, SUMMED_EVERY);
  const changes = windowsProjection(terms.calendar, read).collect?.();
  if (changes === undefined) throw new Error('Nothing collects.');
  await withTransaction(scene.pool, async (client) => {
    for (const [index, event] of events.entries()) {
      changes.add(event);
      if (index % every === 0) await changes.write(client);
    }
    await changes.write(client);
  });
}

test('no row is written again for keys that are opened long after its own', async () => {
  const writer = await scene.writer().open();
  const numbers = Array.from({ length: 4 * LONG }, (_, number) => number);
  const xminOf = async (): Promise<string[]> => {
    const { rows } = await scene.pool.query<{ row: string }>(
      `select concat_ws(' ', after, up_to, xmin) as row from window_part where account_id = $1`,
      [writer.id],
    );
    return rows.map(({ row }) => row);
  };
  let written = 0;
  let known: string[] = [];
  for (let from = 0; from < numbers.length; from += SUMMED_EVERY) {
    await call(writer, TUESDAY, numbers.slice(from, from + SUMMED_EVERY));
    await scene.project(writer.id);
    const now = await xminOf();
    written += now.filter((row) => !known.includes(row)).length;
    known = now;
  }
  expect(Math.max(...(await sizes(writer)))).toBeLessThanOrEqual(LONG);
  // A short row for each time, of which every sixteenth becomes a long one.
  expect(written).toBeLessThanOrEqual(numbers.length / SUMMED_EVERY + 5);
  expect(known.length).toBeLessThanOrEqual(4 + 16);
});

test('a page of keys sums all rows of a window, and what the log holds after them', async () => {
  const writer = await scene.writer().open();
  const calls = Array.from({ length: 3 * LONG + 1 }, (_, index) => (index * 31) % 50);
  await call(writer, TUESDAY, calls);
  await scene.project(writer.id);
  await call(writer, TUESDAY, [3, 49]);
  expect((await sizes(writer)).length).toBeGreaterThan(3);
  const expected = new Map<number, number>();
  for (const key of [...calls, 3, 49]) expected.set(key, (expected.get(key) ?? 0) + 1);
  const found: [number, number][] = [];
  const { label: window } = terms.calendar.windowAt(TUESDAY);
  let after: string | null = null;
  do {
    const page = await scene
      .reads(TUESDAY)
      .windows(writer.id, { window, after, limit: 7, asOf: null });
    const items = page?.items ?? [];
    found.push(...items.map((item): [number, number] => [Number(item.key.slice(-4)), item.calls]));
    after = page?.next ?? null;
  } while (after !== null);
  expect(found).toEqual([...expected].toSorted(([a], [b]) => a - b));
});

const step = fc.record({
  keys: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 40 }),
  idle: fc.boolean(),
  project: fc.boolean(),
});

test('rows are the same however many events each time has that they are written', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 2, maxLength: 7 }),
      fc.integer({ min: 1, max: 150 }),
      async (steps, every) => {
        const writer = await scene.writer().open();
        let now = TUESDAY;
        for (const { keys, idle, project } of steps) {
          if (idle) now += 5 * DAY;
          await call(writer, now, keys);
          if (project) await scene.project(writer.id);
        }
        await scene.project(writer.id);
        const rows = await allRows(writer);
        await collect(writer, await writer.history(), every);
        expect(await allRows(writer)).toEqual(rows);
      },
    ),
    { numRuns: 20 },
  );
});
