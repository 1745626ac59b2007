import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import type { Answer, Submission } from './submission.js';
import { DueTimer } from './due-timer.js';

const NOW = Date.UTC(2026, 11, 1);
/** More than two pages, most of them due at the same instant. */
const DUE = 1_200;

let database: TestDatabase;
let pool: pg.Pool;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'due-timer-spec' });
  await pool.query(
    `insert into ledger_account (lane, account_id, version, head, state, due_at)
     select 1 + n % 64, gen_random_uuid(), 1, '', '{}',
            case when n <= $1 then to_timestamp($2::bigint / 1000.0) - (n / 700) * interval '1 day'
                 when n = $1 + 1 then to_timestamp(($2::bigint + 1) / 1000.0) end
       from generate_series(1, $1::int + 2) as n`,
    [DUE, NOW],
  );
});

afterAll(async () => {
  await pool.end();
  await database.drop();
});

/** The accounts that were ticked, and the reported faults of ticks. */
async function tickAll(submit: (submission: Submission) => Promise<Answer>) {
  const ticked: string[] = [];
  const faults: unknown[] = [];
  const accounting = {
    submit: (submission: Submission) => {
      ticked.push(submission.accountId);
      return submit(submission);
    },
  };
  const clock = { now: () => NOW };
  const onFault = (fault: unknown) => faults.push(fault);
  const timer = new DueTimer(pool, accounting, clock, new Calendar('UTC'), onFault);
  await timer.tickAll();
  return { ticked, faults };
}

const answered = async (): Promise<Answer> => ({ refusal: { reason: 'account-unknown' } });

describe('the timer of what falls due', () => {
  it('ticks every account that is due once, the longest overdue first, and no other', async () => {
    const { ticked } = await tickAll(answered);
    expect(ticked).toHaveLength(DUE);
    expect(new Set(ticked).size).toBe(DUE);
    const { rows } = await pool.query<{ id: string }>(
      'select account_id as id from ledger_account where due_at < to_timestamp($1 / 1000.0)',
      [NOW],
    );
    expect(new Set(ticked.slice(0, rows.length))).toEqual(new Set(rows.map(({ id }) => id)));
  });

  it('ticks no account again whose row says the same after the tick, but one whose tick failed', async () => {
    const failed: string[] = [];
    const ticked: string[] = [];
    const accounting = {
      submit: async ({ accountId }: Submission): Promise<Answer> => {
        ticked.push(accountId);
        if (failed.length > 0) return answered();
        failed.push(accountId);
        throw new Error('It is away.');
      },
    };
    const timer = new DueTimer(
      pool,
      accounting,
      { now: () => NOW },
      new Calendar('UTC'),
      () => undefined,
    );
    await timer.tickAll();
    ticked.length = 0;
    await timer.tickAll();
    expect(ticked).toEqual(failed);
  });

  it('goes on when accounts cannot be ticked, and reports each', async () => {
    let submitted = 0;
    const { ticked, faults } = await tickAll((submission) => {
      submitted += 1;
      if (submitted % 400 === 0) return Promise.reject(new Error(submission.accountId));
      return answered();
    });
    expect(ticked).toHaveLength(DUE);
    expect(faults).toHaveLength(3);
  });

  it('asks once a day for the forecasts of accounts with budgets, but for test clocks', async () => {
    const states = [
      { budgets: [{}], testClock: null },
      { budgets: [], testClock: null },
      { budgets: [{}], testClock: 1 },
    ].map((state) => JSON.stringify(state));
    const { rows } = await pool.query<{ id: string }>(
      `insert into ledger_account (lane, account_id, version, head, state)
       select 1, gen_random_uuid(), 1, '', state::json from unnest($1::text[]) as state
       returning account_id as id`,
      [states],
    );
    const asked: [string, string][] = [];
    const accounting = {
      submit: ({ accountId, command: { command } }: Submission) => {
        if (command !== 'tick') asked.push([accountId, command]);
        return answered();
      },
    };
    const clock = { now: () => NOW };
    const timer = new DueTimer(pool, accounting, clock, new Calendar('UTC'), () => undefined);
    await timer.tickAll();
    await timer.tickAll();
    expect(asked).toEqual([[rows[0]?.id, 'report-forecasts']]);
    clock.now = () => NOW + 86_400_000;
    await timer.tickAll();
    expect(asked).toHaveLength(2);
  });
});
