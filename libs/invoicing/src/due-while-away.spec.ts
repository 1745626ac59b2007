import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import type { Decider } from '#deciding/submission.js';
import { DueTimer } from '#deciding/due-timer.js';
import { isDistributed } from '#database/cluster/distribute.js';
import { LANE_GROUPS, laneGroups } from '#event-log/event-log.js';
import { LanesAway } from '../../../test/setup/lanes-away.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { accountInLane } from '../../../test/setup/test-events.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { readMonthsToInvoice } from './to-do-reads.js';

const [, AWAY = []] = laneGroups(LANE_GROUPS);
const MONTH = '2026-10';

let database: TestDatabase;
/** Knows nothing of lanes that are away. */
let sound: pg.Pool;
let pool: pg.Pool;
/** Null: in a cluster the story of partial outages shows it. */
let away: LanesAway | null;

beforeEach(async () => {
  database = await createTestDatabase();
  sound = openDatabase({ url: database.url, applicationName: 'due-while-away.spec' });
  away = (await isDistributed(sound)) ? null : await LanesAway.prepare(database);
  const url = away?.url ?? database.url;
  pool = openDatabase({ url, applicationName: 'due-while-away.spec' });
});

afterEach(async () => {
  await Promise.all([pool.end(), sound.end()]);
  await away?.end();
  await database.drop();
});

/** An account with a month to invoice, and of which something else has fallen due. */
async function dueIn(lane: number): Promise<string> {
  const id = accountInLane(lane);
  await sound.query(
    `insert into invoice_month
       (lane, account_id, month, first_version, close_version, closed_at, is_billable)
     values ($1, $2, '${MONTH}', 1, 2, now(), true)`,
    [lane, id],
  );
  await sound.query(
    `insert into ledger_account (lane, account_id, version, head, state, due_at)
     values ($1, $2, 1, '', '{}', now() - interval '1 hour')`,
    [lane, id],
  );
  return id;
}

it('while lanes are away what is due is found in all others, and a run refuses to be shorter', async () => {
  if (away === null) return;
  const beside = await dueIn(1);
  const behind = await dueIn(AWAY[0] ?? 0);
  const ticked: string[] = [];
  const submit = async ({ accountId }: { readonly accountId: string }) => {
    ticked.push(accountId);
    throw new Error('Nothing is decided here.');
  };
  const decider = { submit } as unknown as Decider;
  const clock = { now: () => Date.now() };
  const timer = new DueTimer(pool, decider, clock, new Calendar('Europe/Vienna'), () => undefined);
  const monthsOf = async (upTo: string | null): Promise<readonly string[]> =>
    (await readMonthsToInvoice(pool, 10, upTo, null)).map(({ accountId }) => accountId);

  await away.set(AWAY);
  expect(await monthsOf(null)).toEqual([beside]);
  await expect(monthsOf(MONTH)).rejects.toMatchObject({ code: '08006' });
  await expect(timer.tickAll(true)).rejects.toMatchObject({ code: '08006' });
  await timer.tickAll();
  expect(ticked).toEqual([beside]);

  await away.set([]);
  await waitFor('all months are due', async () => (await monthsOf(null)).length === 2);
  expect(await monthsOf(MONTH)).toEqual([beside, behind]);
});
