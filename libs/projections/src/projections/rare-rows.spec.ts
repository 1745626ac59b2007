import fc from 'fast-check';
import type pg from 'pg';
import { allBeauty, callAt, DAY, grantCredits, terms, TUESDAY } from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { fillProjections } from '#event-log/fill-projection.js';
import { laneOf } from '#event-log/event-log.js';
import { ProjectionRunner } from '#event-log/projection-runner.js';
import { AccountLoader } from '../loading/account-loader.js';
import { ledgerScene, type Writer } from '../reads/ledger-scene.suite.js';
import { follow, unopened } from '../snapshots/account-tail.js';
import { ledgerProjection } from './ledger.projection.js';
import { ReadSums } from './read-sums.js';
import { windowsProjection } from './windows.projection.js';

/** Two milestones, so that rows hold some of the calls and others do not. */
const SUMMED_EVERY = 512;
const read = new ReadSums(terms.calendar, SUMMED_EVERY);
const PROJECTIONS = [
  ledgerProjection(terms.calendar, read),
  windowsProjection(terms.calendar, read),
];
const TABLES = PROJECTIONS.flatMap(({ tables }) => tables);
const CATCH_UP_MS = 30_000;

/** Calls of an account, so far apart, and what follows them; how its rows are written meanwhile. */
const step = fc.record({
  calls: fc.integer({ min: 1, max: 400 }),
  minutes: fc.integer({ min: 1, max: 90 }),
  after: fc.constantFrom('nothing', 'nothing', 'grant', 'idle days'),
  crash: fc.boolean(),
  eventsMax: fc.integer({ min: 20, max: 900 }),
});
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

const scene = ledgerScene();
let pools: pg.Pool[];

beforeEach(() => {
  pools = [0, 1].map(() => openDatabase({ url: scene.url, applicationName: 'rare-rows-runner' }));
});

afterEach(async () => {
  for (const pool of pools) await pool.end();
});

/** Makes the calls of a step, one append for all; answers the moment after it. */
async function take(writer: Writer, at: number, { calls, minutes, after }: Step): Promise<number> {
  const regions = ['us', 'fr', 'jp', 'kr'] as const;
  let now = at;
  for (let call = 0; call < calls; call += 1) {
    now += minutes * 60_000;
    const region = regions[(call * call) % regions.length] ?? 'us';
    writer.decide(now, callAt(now, { resource: { ...allBeauty, limit: 'top5', region } }));
  }
  if (after === 'grant') writer.decide(now, grantCredits(500, { expiresAt: now + 3 * DAY }));
  await writer.flush();
  return after === 'idle days' ? now + 20 * DAY : now;
}

/** Ends connections of the runners in the middle of whatever they do. */
async function crash(): Promise<void> {
  await scene.pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'rare-rows-runner' and datname = current_database()`,
  );
}

async function checkReads(writer: Writer, now: number): Promise<void> {
  const { accounts } = await new AccountLoader(scene.pool).load([writer.id]);
  const history = await writer.history();
  const expected = history.reduce(follow, unopened);
  const { state, head } = accounts.get(writer.id) ?? unopened;
  expect(head).toBe(expected.head);
  expect({ ...state, opened: [] }).toEqual({ ...expected.state, opened: [] });
  expect([...state.opened].toSorted()).toEqual([...expected.state.opened].toSorted());
  const all = { from: null, to: null, after: null, limit: 1_000, asOf: null };
  const usage = await scene.reads(now).usage(writer.id, { ...all, by: [] });
  const calls = history.filter(({ type }) => type === 'CallMade').length;
  const { charged: credits_used } = expected.state.totals;
  expect(usage?.items).toMatchObject([{ calls, credits_used }]);
}

async function rowsOf(writer: Writer): Promise<unknown[]> {
  const found: unknown[] = [];
  for (const table of TABLES) {
    const text = `select t::text as row from ${table} t where account_id = $1 order by 1`;
    found.push((await scene.pool.query(text, [writer.id])).rows);
  }
  return found;
}

/** Makes the rows of the lane from its first event on, as a rebuild does. */
async function projectAgain(lane: number, position: number): Promise<void> {
  for (const table of TABLES)
    await scene.pool.query(`delete from ${table} where lane = $1`, [lane]);
  await scene.pool.query('update checkpoint set position = 0 where lane = $1', [lane]);
  await fillProjections(scene.pool, PROJECTIONS, new Map([[lane, position]]), {
    isShadow: false,
    eventsMax: 1_000,
    lanesAtOnce: 1,
    signal: new AbortController().signal,
    onApplied: () => undefined,
  });
}

test('rows and the events after them are all events, whoever wrote rows and died when', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 6 }), async (steps) => {
      const writer = await scene.writer().open();
      const lane = laneOf(writer.id);
      let now = TUESDAY;
      for (const each of steps) {
        const runners = pools.map(
          (pool) =>
            new ProjectionRunner(pool, PROJECTIONS, {
              eventsMax: each.eventsMax,
              pollMs: 2,
              retryFirstMs: 2,
              retryMostMs: 20,
            }),
        );
        runners.forEach((runner) => runner.start());
        now = await take(writer, now, each);
        if (each.crash) await crash();
        await checkReads(writer, now);
        await Promise.all(runners.map((runner) => runner.stop()));
        await checkReads(writer, now);
      }
      const [last] = pools.map((pool) => new ProjectionRunner(pool, PROJECTIONS, { pollMs: 2 }));
      const [end] = await scene.log.ends([lane]);
      const position = end?.position ?? 0;
      last?.start();
      for (const { name } of PROJECTIONS) {
        expect(await last?.catchUp(name, new Map([[lane, position]]), CATCH_UP_MS)).toBe(true);
      }
      await last?.stop();
      await checkReads(writer, now);
      const rows = await rowsOf(writer);
      await projectAgain(lane, position);
      expect(await rowsOf(writer)).toEqual(rows);
    }),
    { numRuns: 8 },
  );
}, 120_000);
