import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { ChargeRequest } from '#account/charging.js';
import type { Command } from '#account/commands.js';
import {
  callAt,
  grantCredits,
  issueApiKey,
  openAccount,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { UnsettledJournal } from '#charging-link/unsettled-journal.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { adjustmentIdOf, replayIdOf } from './command-id.js';
import { LiveTerms } from './live-terms.js';
import { Accounting } from './accounting.js';
import { InProcessCharging } from './in-process-charging.js';
import { Settlement } from './settlement.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';
const CALL = '0197c000-0000-7000-9000-000000000001';
const FIRST = '0197c000-0000-7000-b000-000000000001';
const SECOND = '0197c000-0000-7000-b000-000000000002';

let database: TestDatabase;
let pool: pg.Pool;
let log: PostgresEventLog;
let accounting: Accounting;
let settlement: Settlement;
let charging: InProcessCharging;
let now: number;

beforeEach(async () => {
  now = TUESDAY;
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'settlement-spec' });
  log = new PostgresEventLog(pool, database.groups);
  const loader = new AccountLoader(pool);
  const clock = { now: () => now };
  const events = { onFault: () => undefined };
  const { calendar } = terms;
  const stream = new SystemStream(log);
  const liveTerms = new LiveTerms({ stream, calendar, clock, onFault: () => undefined });
  await liveTerms.refresh();
  accounting = new Accounting({ log, loader, clock, terms: () => terms, events });
  settlement = new Settlement(log, accounting, clock, () => undefined, 10);
  charging = new InProcessCharging(accounting, loader, clock, liveTerms, log);
  await submit('opening', openAccount());
  await submit('key', issueApiKey());
  await submit('grant', grantCredits(60_000));
});

afterEach(async () => {
  settlement.stop();
  await accounting.stop();
  await pool.end();
  await database.drop();
});

let commands = 0;
function submit(_name: string, command: Command): Promise<unknown> {
  commands += 1;
  const callId = `0197c000-0000-7000-a000-${commands.toString(16).padStart(12, '0')}`;
  const notAfter = TUESDAY + 10_000;
  return accounting.submit({ accountId: ACCOUNT, callId, isRetry: false, notAfter, command });
}

function request(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  const made = callAt(TUESDAY, {
    callId: CALL,
    accountId: ACCOUNT,
    requestId: FIRST,
    ...changes,
  });
  if (made.command !== 'make-call') throw new Error('That is no call.');
  return made.request;
}

async function adjustments(): Promise<StoredEvent[]> {
  const events = await log.readAccount(ACCOUNT, 0, 100);
  return events.filter(({ type }) => type === 'Adjusted');
}

/** Sends the settlement's command in this very turn: other commands of the turn join its batch. */
function giveBack(): Promise<unknown> {
  const id = adjustmentIdOf(CALL);
  return accounting.submit({
    accountId: ACCOUNT,
    callId: id,
    isRetry: true,
    notAfter: TUESDAY + 10_000,
    skipIfLogged: replayIdOf(CALL),
    command: {
      command: 'adjust-credits',
      origin: { by: 'system', request: CALL, input: id, reason: 'Nobody had the answer.' },
      credits: 50_000,
      call: { callId: CALL, charged: 50_000 },
      grantId: id,
    },
  });
}

const unsettled = {
  accountId: ACCOUNT,
  callId: CALL,
  requestId: FIRST,
};

/** Another request under the same idempotency key. */
const retried = (): ChargeRequest => request({ requestId: SECOND, isRetry: true });

describe('a call whose outcome its caller never learned', () => {
  it('is given back once when it turns out to be charged', async () => {
    await charging.charge(request());
    await Promise.all([settlement.settle(unsettled), settlement.settle(unsettled)]);
    await settlement.settle(unsettled);
    const [adjusted, ...others] = await adjustments();
    expect(JSON.parse(adjusted?.data ?? '{}')).toMatchObject({
      credits: 50_000,
      call_id: CALL,
      by: 'system',
      balance: 60_000,
    });
    expect(others).toEqual([]);
    const retry = await charging.charge(request({ isRetry: true }));
    expect(retry).toMatchObject({ refusal: { reason: 'idempotency-key-used' } });
  });

  it('is returned to a quote under its id, until it is refunded', async () => {
    await charging.charge(request());
    const { accountId, apiKey, asked, key, resource, rows, window, release } = request();
    const items = [{ key, resource, rows, window, release }];
    const quote = (path: string) =>
      charging.quote({ accountId, apiKey, items, named: { callId: CALL, asked: path } });
    expect(await quote(asked)).toMatchObject({
      outcome: 'quoted',
      items: [],
      first: { callId: CALL, call: { kind: 'base' }, balance: 10_000 },
    });
    expect(await quote('/v1/latest/another')).toMatchObject({
      refusal: { reason: 'idempotency-conflict' },
    });
    await settlement.settle(unsettled);
    expect(await quote(asked)).toMatchObject({ refusal: { reason: 'idempotency-key-used' } });
  });

  it('is not given back when a retry fetched the answer first, from whichever process', async () => {
    await charging.charge(request());
    expect(await charging.charge(retried())).toMatchObject({ outcome: 'charged', replayed: true });
    await settlement.settle(unsettled);
    expect(await adjustments()).toEqual([]);
  });

  it('is not given back when a retry fetches the answer while giving back waits', async () => {
    await charging.charge(request());
    const [answer, given] = await Promise.all([charging.charge(retried()), giveBack()]);
    expect(answer).toMatchObject({ outcome: 'charged', replayed: true });
    expect(given).toMatchObject({ refusal: { reason: 'too-late' } });
    expect(await adjustments()).toEqual([]);
  });

  it('is given back although the request that was given up is answered late, to nobody', async () => {
    const settled = settlement.settle(unsettled);
    await charging.charge(request());
    await charging.charge(request({ isRetry: true }));
    await settled;
    expect(await adjustments()).toHaveLength(1);
  });

  it('is not given back when only the retry was charged', async () => {
    const settled = settlement.settle(unsettled);
    expect(await charging.charge(retried())).toMatchObject({ replayed: false });
    await settled;
    expect(await adjustments()).toEqual([]);
  });

  it('is no longer returned to a retry that is decided together with its refund', async () => {
    await charging.charge(request());
    const given = giveBack();
    const retry = await charging.charge(retried());
    await given;
    expect(retry).toMatchObject({ refusal: { reason: 'idempotency-key-used' } });
    expect(await adjustments()).toHaveLength(1);
  });

  it('is recorded as replayed once, however many requests are answered', async () => {
    await charging.charge(request());
    for (const requestId of [SECOND, CALL, FIRST]) {
      await charging.charge(request({ requestId, isRetry: true }));
    }
    const events = await log.readAccount(ACCOUNT, 0, 100);
    const replays = events.filter(({ type }) => type === 'CallReplayed');
    expect(replays.map(({ callId, data }) => [callId, JSON.parse(data)])).toEqual([
      [replayIdOf(CALL), { call_id: CALL }],
    ]);
  });

  describe('in a process that is killed', () => {
    let folder: string;
    let journal: UnsettledJournal;

    beforeEach(async () => {
      folder = await mkdtemp(path.join(tmpdir(), 'unsettled-'));
      journal = new UnsettledJournal(folder, () => undefined);
    });

    afterEach(() => rm(folder, { recursive: true }));

    function successor(): Settlement {
      return new Settlement(log, accounting, { now: () => now }, () => undefined, 10, journal);
    }

    it('is given back by its successor, and by one of several alone', async () => {
      await charging.charge(request());
      const killed = successor();
      await killed.kept(unsettled);
      killed.stop();
      const successors = [successor(), successor()];
      for (const each of successors) await each.recover();
      await waitFor('it is settled', () => successors.every(({ size }) => size === 0));
      expect(await adjustments()).toHaveLength(1);
      await waitFor('it is dropped', () => !journal.holds(unsettled));
    });

    it('is given back only from its moment on, which outlives every kill', async () => {
      await charging.charge(request());
      await charging.charge(request({ callId: SECOND }));
      const notBefore = now + 610_000;
      const killed = successor();
      await killed.kept({ ...unsettled, notBefore });
      killed.stop();
      const next = successor();
      await next.recover();
      now = notBefore - 1;
      // Another one that is due shows that the first was looked at.
      await next.settle({ ...unsettled, callId: SECOND });
      expect(await adjustments()).toHaveLength(1);
      now = notBefore;
      await waitFor('it is settled', () => next.size === 0);
      expect(await adjustments()).toHaveLength(2);
      next.stop();
    });

    it('is not given back once another process has settled it', async () => {
      await charging.charge(request());
      const held = { ...unsettled, notBefore: now + 1 };
      await journal.keep(held);
      const late = successor();
      await late.recover();
      await journal.drop(held);
      now = held.notBefore;
      await waitFor('it is let go', () => late.size === 0);
      expect(await adjustments()).toEqual([]);
    });
  });

  it('is given back in time however often others are added', async () => {
    await charging.charge(request());
    const slow = new Settlement(log, accounting, { now: () => now }, () => undefined, 200);
    let isSettled = false;
    void slow.settle(unsettled).then(() => (isSettled = true));
    for (let others = 1; !isSettled && others < 5_000; others += 1) {
      const callId = `0197c000-0000-7000-b000-${others.toString(16).padStart(12, '0')}`;
      void slow.settle({ ...unsettled, callId });
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
    slow.stop();
    expect(await adjustments()).toHaveLength(1);
  });

  it('is not given back when another request of its id was charged and answered', async () => {
    await charging.charge(request());
    await settlement.settle({ ...unsettled, requestId: SECOND });
    expect(await adjustments()).toEqual([]);
  });
});
