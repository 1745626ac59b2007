import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { OutcomeUnknownError } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import { callAt, grantCredits, issueApiKey, openAccount, terms } from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { laneOf, SYSTEM_LANE } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { verifyLane } from '#event-log/verify-lane.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { accountInLane } from '../../../../test/setup/test-events.js';
import { threadOfSources } from '../../../../test/setup/thread-of-sources.js';
import { inLong } from '../../../../test/setup/long.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import type { Answer } from '../submission.js';
import { DeciderThreads } from './decider-threads.js';

const PROGRAM = threadOfSources('libs/deciding/src/threads/decider-program.ts');
const HUNG_MS = 30_000;
const BROKEN = new URL('data:text/javascript,process.exit(3)');
/** In the first group of lanes and in the last one: each of another of two deciders. */
let firstAccount: string;
let lastAccount: string;
let accounts: readonly string[];

let database: TestDatabase;
let pool: pg.Pool;
let log: PostgresEventLog;
let threads: DeciderThreads;
let ended: unknown[];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'deciders-spec' });
  log = new PostgresEventLog(pool, database.groups);
  ended = [];
  [firstAccount, lastAccount] = [database.groups[0], database.groups.at(-1)].map((group) =>
    accountInLane(group?.find((lane) => lane !== SYSTEM_LANE) ?? 0),
  ) as [string, string];
  accounts = [firstAccount, lastAccount];
});

afterEach(async () => {
  await threads.stop();
  await pool.end();
  await database.drop();
});

async function start(deciders: number, program = PROGRAM): Promise<void> {
  threads = new DeciderThreads({
    deciders,
    groups: database.groups,
    databaseUrl: database.url,
    zone: terms.calendar.zone,
    clock: { now: () => Date.now() },
    onFault: () => undefined,
    onLost: () => undefined,
    onIdleError: () => undefined,
    onEnded: (error) => ended.push(error),
    program,
  });
  await threads.start();
}

function submit(
  command: Command,
  accountId: string,
  { id: callId = randomUUID() as string, isRetry = false, tags = null as string | null } = {},
): Promise<Answer> {
  const precondition = tags === null ? undefined : ({ of: 'account', tags: [tags] } as const);
  const notAfter = Date.now() + 10_000;
  return threads.submit({ accountId, callId, isRetry, notAfter, precondition, command });
}

function call(): Command {
  return callAt(Date.now(), { notAfter: Date.now() + 10_000 });
}

async function open(accountId: string): Promise<void> {
  for (const command of [openAccount(), issueApiKey(), grantCredits(1_000_000)]) {
    expect((await submit(command, accountId)).refusal).toBeNull();
  }
}

function chargeOf(answer: Answer): number | string {
  if (answer.refusal !== null) return answer.refusal.reason;
  if (answer.event?.type !== 'CallMade') return 'no call';
  return answer.event.data.cost[0] + answer.event.data.cost[1];
}

async function callsIn(accountId: string): Promise<number> {
  const events = await log.readAccount(accountId, 0, 10_000);
  return events.filter(({ type }) => type === 'CallMade').length;
}

test.each([2, ...inLong(1, 3)])(
  '%i deciders charge one base and 199 repeats for 200 calls of one key of each account',
  async (deciders) => {
    await start(deciders);
    for (const account of accounts) await open(account);
    const all = accounts.flatMap((account) => Array.from({ length: 200 }, () => account));
    const answers = await Promise.all(all.map((account) => submit(call(), account)));
    const charges = answers.map(chargeOf);
    expect(charges.filter((charge) => charge === 50_000)).toHaveLength(2);
    expect(charges.filter((charge) => charge === 10)).toHaveLength(398);
    for (const account of accounts) {
      expect(await verifyLane(log, laneOf(account))).toMatchObject({ verdict: 'intact' });
    }
  },
);

test('a retry is answered as the first time, and a condition is checked in the decision', async () => {
  await start(2);
  await open(firstAccount);
  const id = randomUUID();
  expect(chargeOf(await submit(call(), firstAccount, { id }))).toBe(50_000);
  const again = await submit(call(), firstAccount, { id, isRetry: true });
  expect(again).toMatchObject({ replayed: true, event: { data: { cost: [10, 49_990] } } });
  expect(await callsIn(firstAccount)).toBe(1);
  const refused = await submit(grantCredits(5), firstAccount, { tags: '"1"' });
  expect(refused.refusal).toMatchObject({ reason: 'version-moved' });
  expect(chargeOf(await submit(call(), randomUUID()))).toBe('account-unknown');
});

test('metrics of all deciders are collected', async () => {
  await start(2);
  for (const account of accounts) await open(account);
  const collected = (await threads.metrics()) as { name: string; values: { value: number }[] }[][];
  const sizes = collected.map((metrics) => {
    const counted = metrics.find(({ name }) => name === 'popindex_commit_events');
    return counted?.values.at(-1)?.value;
  });
  expect(sizes).toEqual([3, 3]);
});

test('a stop answers what was asked', async () => {
  await start(2);
  await open(firstAccount);
  const calls = Array.from({ length: 100 }, () => submit(call(), firstAccount));
  await threads.stop();
  expect((await Promise.all(calls)).map(chargeOf).filter((charge) => charge === 10)).toHaveLength(
    99,
  );
  expect(await callsIn(firstAccount)).toBe(100);
});

/** A decider that exits with the first batch that holds a text, while that is appended. */
function dyingWith(text: string): URL {
  return fallingWith(text, 'setImmediate(() => process.exit(7))');
}

/** A decider that does something else with the first batch that holds a text. */
function fallingWith(text: string, act: string): URL {
  const source = decodeURIComponent(PROGRAM.href.slice('data:text/javascript,'.length));
  const falling = `import { parentPort } from 'node:worker_threads';
    parentPort.on('message', (message) => {
      if (String(message).includes(${JSON.stringify(text)})) ${act};
    });`;
  return new URL(`data:text/javascript,${encodeURIComponent(`${falling}\n${source}`)}`);
}

test('calls of a decider that ends are of unknown fate, the other serves on, and it is replaced', async () => {
  await start(2, dyingWith('the end'));
  for (const account of accounts) await open(account);
  const asked = Array.from({ length: 50 }, () => submit(call(), firstAccount));
  const last = submit(callAt(Date.now(), { asked: 'the end' }), firstAccount);
  const outcomes = await Promise.allSettled([...asked, last]);
  const lost = outcomes.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
  expect(lost).not.toEqual([]);
  for (const { reason } of lost) expect(reason).toBeInstanceOf(OutcomeUnknownError);
  expect(chargeOf(await submit(call(), lastAccount))).toBe(50_000);
  await waitFor('the end is noticed', () => ended.length > 0);
  expect(String(ended)).toBe('Error: The thread ended with 7.');
  await expect(submit(call(), firstAccount)).rejects.toThrow('is being replaced');
  expect(threads.state()).toEqual({ ready: true, detail: '1 of 2 deciders serve.' });
  await waitFor('it is replaced', () => threads.serving === 2);
  const before = await callsIn(firstAccount);
  expect(before).toBeGreaterThanOrEqual(51 - lost.length);
  await submit(call(), firstAccount);
  expect(await callsIn(firstAccount)).toBe(before + 1);
});

test('a decider that hangs is replaced, what it was asked is of unknown fate, and the other serves on', async () => {
  await start(2, fallingWith('the end', 'for (;;);'));
  for (const account of accounts) await open(account);
  const asked = submit(callAt(Date.now(), { asked: 'the end' }), firstAccount);
  const lost = expect(asked).rejects.toThrow(OutcomeUnknownError);
  await waitFor('it is silent', () => threads.serving === 1, HUNG_MS);
  expect(chargeOf(await submit(call(), lastAccount))).toBe(50_000);
  await waitFor('it is replaced', () => ended.length > 0 && threads.serving === 2, HUNG_MS);
  expect(String(ended)).toBe('Error: The thread hangs.');
  await lost;
  expect(chargeOf(await submit(call(), firstAccount))).toBe(50_000);
}, 60_000);

test('a decider that cannot start fails the start', async () => {
  await expect(start(2, BROKEN)).rejects.toThrow('The thread ended with 3.');
});

test('callers of a decider that is blocked are answered after their time', async () => {
  const hanging = 'data:text/javascript,' + encodeURIComponent(hangingProgram());
  await start(1, new URL(hanging));
  const answer = submit(call(), firstAccount);
  await delay(0);
  threads.giveUpLate();
  const late = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 12_001);
  threads.giveUpLate();
  await expect(answer).rejects.toThrow(OutcomeUnknownError);
  late.mockRestore();
});

/** Serves, answers an order to stop, and decides nothing. */
function hangingProgram(): string {
  return `import { parentPort } from 'node:worker_threads';
    parentPort.postMessage(JSON.stringify([['ask', 1, 'serving', null]]));
    parentPort.on('message', (text) => {
      if (text.includes('"stop"')) parentPort.close();
    });`;
}
