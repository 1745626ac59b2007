import { AccountingUnavailableError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import type { AccountState } from '#account/state.js';
import type pg from 'pg';
import {
  adjust,
  callAt,
  grantCredits,
  issueApiKey,
  openAccount,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import {
  AppendUncertainError,
  laneOf,
  type EventLog,
  type StoredEvent,
} from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { ProjectionRunner } from '#event-log/projection-runner.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { ledgerProjection } from '#projections/projections/ledger.projection.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { adjustmentIdOf } from './command-id.js';
import { Accounting, DEFAULT_LIMITS, type AccountingLimits } from './accounting.js';
import type { Answer } from './submission.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
/** In another lane of the same group. */
const OTHER = '0197c000-0000-7000-8000-00000000004b';

let database: TestDatabase;
let pool: pg.Pool;
let log: EventLog;
let calls = 0;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'lane-writer-spec' });
  log = new PostgresEventLog(pool, database.groups);
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

function callId(): string {
  calls += 1;
  return `0197c000-0000-7000-9000-${calls.toString(16).padStart(12, '0')}`;
}

/** One accounting process. Its clock stands at nine o'clock on a Tuesday. */
function accounting(limits: Partial<AccountingLimits> = {}, store: EventLog = log): Accounting {
  return new Accounting({
    log: store,
    loader: new AccountLoader(pool),
    clock: { now: () => TUESDAY },
    terms: () => terms,
    events: { onFault: () => undefined },
    limits: { ...DEFAULT_LIMITS, ...limits },
  });
}

function submit(
  service: Accounting,
  command: Command,
  { accountId = ACCOUNT, id = callId(), isRetry = false } = {},
): Promise<Answer<AccountState>> {
  const notAfter = TUESDAY + 10_000;
  return service.submit({ accountId, callId: id, isRetry, notAfter, command });
}

async function open(service: Accounting, credits = 1_000_000, accountId = ACCOUNT): Promise<void> {
  await submit(service, openAccount(), { accountId });
  await submit(service, issueApiKey(), { accountId });
  await submit(service, grantCredits(credits), { accountId });
}

async function history(accountId = ACCOUNT): Promise<StoredEvent[]> {
  return log.readAccount(accountId, 0, 10_000);
}

function costs(events: readonly StoredEvent[]): number[] {
  return events
    .filter(({ type }) => type === 'CallMade')
    .map(({ data }) => (JSON.parse(data) as { cost: number[] }).cost.reduce((a, b) => a + b));
}

function chargeOf(answer: Answer<AccountState>): number | string {
  if (answer.refusal !== null) return answer.refusal.reason;
  if (answer.event?.type !== 'CallMade') return 'no call';
  return answer.event.data.cost[0] + answer.event.data.cost[1];
}

describe('a lane writer', () => {
  it('charges one base and 499 repeats for 500 calls of one key at once', async () => {
    const service = accounting();
    await open(service);
    const answers = await Promise.all(
      Array.from({ length: 500 }, () => submit(service, callAt(TUESDAY))),
    );
    const charges = answers.map(chargeOf);
    expect(charges.filter((charge) => charge === 50_000)).toHaveLength(1);
    expect(charges.filter((charge) => charge === 10)).toHaveLength(499);
    expect(costs(await history()).toSorted((a, b) => b - a)).toEqual([
      50_000,
      ...Array.from({ length: 499 }, () => 10),
    ]);
  });

  it('never lets a balance fall below its limit, however many call at once', async () => {
    const service = accounting();
    await open(service, 50_025);
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => submit(service, callAt(TUESDAY))),
    );
    const charges = answers.map(chargeOf);
    expect(charges.filter((charge) => charge === 'out-of-credits')).toHaveLength(17);
    expect(costs(await history())).toEqual([50_000, 10, 10]);
  });

  it('answers a known id with the first decision, alone and twice in one batch', async () => {
    const service = accounting();
    await open(service);
    const id = callId();
    const [first, twin] = await Promise.all([
      submit(service, callAt(TUESDAY), { id, isRetry: true }),
      submit(service, callAt(TUESDAY), { id, isRetry: true }),
    ]);
    const later = await submit(service, callAt(TUESDAY), { id, isRetry: true });
    expect([first, twin, later].map(chargeOf)).toEqual([50_000, 50_000, 50_000]);
    expect([first, twin, later].map((answer) => 'replayed' in answer && answer.replayed)).toEqual([
      false,
      true,
      true,
    ]);
    expect(costs(await history())).toEqual([50_000]);
  });

  it('finds the first decision also when its caller did not know that there is one', async () => {
    const service = accounting();
    await open(service);
    const id = callId();
    await submit(service, callAt(TUESDAY), { id });
    const batch = await Promise.all([
      submit(service, callAt(TUESDAY)),
      submit(service, callAt(TUESDAY), { id }),
      submit(service, callAt(TUESDAY)),
    ]);
    expect(batch.map(chargeOf)).toEqual([10, 50_000, 10]);
    expect(costs(await history())).toEqual([50_000, 10, 10]);
  });

  it('keeps the answer of a call that was given back', async () => {
    const service = accounting();
    await open(service);
    const id = callId();
    await submit(service, callAt(TUESDAY), { id, isRetry: true });
    const call = { callId: id, charged: 50_000 };
    const adjustment = { id: adjustmentIdOf(id), isRetry: true };
    await submit(service, adjust(50_000, call), adjustment);
    await submit(service, adjust(50_000, call), adjustment);
    const retry = await submit(service, callAt(TUESDAY), { id, isRetry: true });
    expect(chargeOf(retry)).toBe('idempotency-key-used');
    expect((await history()).filter(({ type }) => type === 'Adjusted')).toHaveLength(1);
  });

  it('lets one bad command fail alone among good ones', async () => {
    const service = accounting();
    await open(service);
    await open(service, 1_000_000, OTHER);
    const tags = { broken: '\u0000' };
    const results = await Promise.allSettled([
      submit(service, callAt(TUESDAY)),
      submit(service, callAt(TUESDAY, { tags })),
      submit(service, callAt(TUESDAY)),
      submit(service, callAt(TUESDAY), { accountId: OTHER }),
    ]);
    expect(results.map(({ status }) => status)).toEqual([
      'fulfilled',
      'rejected',
      'fulfilled',
      'fulfilled',
    ]);
    expect(costs(await history())).toEqual([50_000, 10]);
    expect(costs(await history(OTHER))).toEqual([50_000]);
  });

  it('refuses at once when too many wait', async () => {
    const service = accounting({ queueMax: 5 });
    await open(service);
    const results = await Promise.allSettled(
      Array.from({ length: 9 }, () => submit(service, callAt(TUESDAY))),
    );
    const refused = results.filter(
      (result) =>
        result.status === 'rejected' && result.reason instanceof AccountingUnavailableError,
    );
    expect(refused).toHaveLength(4);
    expect(costs(await history())).toHaveLength(5);
  });

  it('forgets accounts beyond its limits and charges the same', async () => {
    const service = accounting({ accountsMax: 1, keysMax: 1 });
    await open(service);
    await open(service, 1_000_000, OTHER);
    for (const accountId of [ACCOUNT, OTHER, ACCOUNT, OTHER]) {
      await submit(service, callAt(TUESDAY), { accountId });
    }
    expect(costs(await history())).toEqual([50_000, 10]);
    expect(costs(await history(OTHER))).toEqual([50_000, 10]);
  });

  it('knows a key of a past week that was opened before it was started', async () => {
    const key = '/v1/2026w40/cat1/trends/all/popindex/us/beauty';
    const first = accounting();
    await open(first);
    await submit(first, callAt(TUESDAY, { key }));
    const second = accounting();
    expect(chargeOf(await submit(second, callAt(TUESDAY, { key })))).toBe(10);

    const runner = new ProjectionRunner(pool, [ledgerProjection(terms.calendar)]);
    runner.start();
    const [end] = await log.ends([laneOf(ACCOUNT)]);
    await runner.catchUp('ledger', new Map([[laneOf(ACCOUNT), end?.position ?? 0]]), 30_000);
    await runner.stop();
    expect(chargeOf(await submit(accounting(), callAt(TUESDAY, { key })))).toBe(10);
  });
});

describe('several writers of one lane in several processes', () => {
  it('charge one base, lose nothing and keep one order', async () => {
    const services = [accounting(), accounting(), accounting()];
    const [first] = services;
    if (first === undefined) throw new Error('There is no service.');
    await open(first);
    await open(first, 1_000_000, OTHER);
    const answers = await Promise.all(
      Array.from({ length: 300 }, (_, n) => {
        const service = services[n % services.length] ?? first;
        return submit(service, callAt(TUESDAY), { accountId: n % 2 === 0 ? ACCOUNT : OTHER });
      }),
    );
    expect(answers.map(chargeOf).filter((charge) => charge === 50_000)).toHaveLength(2);
    for (const accountId of [ACCOUNT, OTHER]) {
      const events = await history(accountId);
      expect(costs(events)).toEqual([50_000, ...Array.from({ length: 149 }, () => 10)]);
      expect(events.map(({ accountVersion }) => accountVersion)).toEqual(
        events.map((_event, index) => index + 1),
      );
    }
  });
});

describe('when the connection goes away in a commit', () => {
  /** The log, but the connection is lost at the next append: before or after it is written. */
  function losing(when: 'before' | 'after'): { store: EventLog; arm: () => void } {
    let armed = false;
    const store = Object.create(log) as EventLog;
    store.append = async (appends) => {
      if (!armed) return log.append(appends);
      armed = false;
      if (when === 'after') await log.append(appends);
      throw new AppendUncertainError('lost');
    };
    return { store, arm: () => (armed = true) };
  }

  it.each(['before', 'after'] as const)(
    '%s it is written, each call is charged once',
    async (when) => {
      const { store, arm } = losing(when);
      const service = accounting({}, store);
      await open(service);
      arm();
      const answers = await Promise.all(
        Array.from({ length: 20 }, () => submit(service, callAt(TUESDAY))),
      );
      expect(answers.map(chargeOf)).toEqual([50_000, ...Array.from({ length: 19 }, () => 10)]);
      expect(answers.every((answer) => 'replayed' in answer && !answer.replayed)).toBe(true);
      expect(costs(await history())).toHaveLength(20);
    },
  );
});
