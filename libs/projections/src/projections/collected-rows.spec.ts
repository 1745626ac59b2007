import { terms } from '#account/scenario.suite.js';
import { withTransaction } from '#database/database.js';
import { applyBatch, registerProjection } from '#event-log/projection-batch.js';
import { findBacklog } from '#event-log/projection-work.js';
import type { Projection } from '#event-log/projection.js';
import { allProjections } from './projections.js';
import { soundLogOfEachTest } from '../verify/sound-log.suite.js';

const PROJECTIONS = allProjections(terms.calendar);
const TABLES = PROJECTIONS.flatMap((projection) => projection.tables);
/** So few that accounts, keys and days go on over several transactions. */
const EVENTS_AT_ONCE = 3;

const log = soundLogOfEachTest();

async function rows(): Promise<unknown[]> {
  const tables = TABLES.map((table) =>
    log.pool.query(`select t::text as row from ${table} t order by 1`),
  );
  return (await Promise.all(tables)).map((answer) => answer.rows);
}

/** Follows the log as a running service does: what it finds is read back and continued. */
async function applyInSteps(projection: Projection): Promise<void> {
  await registerProjection(log.pool, projection);
  for (;;) {
    const [next] = await findBacklog(log.pool, projection.name);
    if (next === undefined) return;
    const step = { lane: next.lane, behind: Math.min(next.behind, EVENTS_AT_ONCE) };
    await withTransaction(log.pool, (client) => applyBatch(client, projection, [step]));
  }
}

test('rows collected from the first event on are those that small steps lead to', async () => {
  const collected = await rows();
  await log.pool.query(`truncate ${['checkpoint', ...TABLES].join(', ')}`);
  for (const projection of PROJECTIONS) await applyInSteps(projection);
  expect(await rows()).toEqual(collected);
  expect((collected[0] as unknown[]).length).toBeGreaterThan(1);
  expect(await log.found()).toEqual([]);
});
