import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import type { Refusal } from '#account/refusal.js';
import { DecidingCharging, type DecidedCalls } from '../test-adapters/deciding-charging.js';
import { requestOf, Scene, until, type Process } from '../test-adapters/scene.js';
import type { UnsettledCall } from './messages.js';
import type { RemoteCharging } from './remote-charging.js';
import { UnsettledJournal } from './unsettled-journal.js';

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.end());

/** Two processes over one log, the first of which is asked first. */
async function pair(): Promise<{ first: Process; second: Process; remote: RemoteCharging }> {
  const log: DecidedCalls = new Map();
  const first = await scene.process(new DecidingCharging(log));
  const second = await scene.process(new DecidingCharging(log));
  const remote = await scene.remote([first.url, second.url]);
  return { first, second, remote };
}

/** Lane 2: the first of two processes is its home. */
const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const inLane2 = (notAfter = Date.now() + 10_000) => requestOf({ accountId: ACCOUNT, notAfter });

test('a call that was decided although its answer was lost is found again by its id', async () => {
  const { wire, url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  wire.mute();
  const request = requestOf();
  const answer = remote.charge(request);
  await until(() => charging.decided.size === 1);
  wire.cut();
  const charged = charging.decided.get(request.callId);
  expect(await answer).toEqual({ outcome: 'charged', charged, replayed: true });
  expect(charging.asked.map(({ isRetry }) => isRetry)).toEqual([false, true]);
  expect(charging.decided.size).toBe(1);
});

test('a thousand calls survive a broken connection, and none is decided twice', async () => {
  const { wire, url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  wire.mute();
  const answers = Array.from({ length: 1_000 }, () => remote.charge(requestOf()));
  await until(() => charging.decided.size === 1_000);
  wire.cut();
  const outcomes = await Promise.all(answers);
  expect(outcomes.every((one) => one.outcome === 'charged' && one.replayed)).toBe(true);
  expect(charging.decided.size).toBe(1_000);
});

test('another process is asked when the one that was asked goes away', async () => {
  const { first, second, remote } = await pair();
  first.wire.mute();
  const request = inLane2();
  const answer = remote.charge(request);
  await until(() => first.charging.decided.size === 1);
  await first.wire.close();
  expect(await answer).toMatchObject({ outcome: 'charged', replayed: true });
  expect(second.charging.asked).toEqual([{ ...request, isRetry: true }]);
});

test('a process that falls silent is given up, and another is asked in time', async () => {
  const log: DecidedCalls = new Map();
  const silent = await scene.process(new DecidingCharging(log));
  const other = await scene.process(new DecidingCharging(log));
  const timings = { pingEveryMs: 10, reconnectFirstMs: 1_000 };
  const remote = await scene.remote([silent.url, other.url], { timings });
  silent.wire.mute();
  expect(await remote.charge(inLane2())).toMatchObject({ outcome: 'charged' });
  expect(other.charging.asked).toHaveLength(1);
  expect(scene.faults).toEqual([`Accounting process ${silent.url} is away: it fell silent.`]);
});

test('a peer that never answers costs its caller no more than the time it gave', async () => {
  const { wire, url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  wire.mute();
  const notAfter = Date.now() + 300;
  const request = requestOf({ notAfter });
  await expect(remote.charge(request)).rejects.toEqual(new OutcomeUnknownError(request.callId));
  expect(Date.now() - notAfter).toBeLessThan(1_000);
  expect(charging.asked).toEqual([request]);
});

test('a call whose fate stays unknown is settled as soon as a process can be reached again', async () => {
  const unsettled: UnsettledCall[] = [];
  const onUnsettled = (call: UnsettledCall) => void unsettled.push(call);
  const { wire, url, charging } = await scene.process(undefined, { onUnsettled });
  const remote = await scene.remote([url]);
  wire.mute();
  const requestId = '0197c000-0000-7000-a000-000000000001';
  const request = requestOf({ notAfter: Date.now() + 300, isRetry: true, requestId });
  await expect(remote.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  await until(() => unsettled.length === 1);
  wire.cut();
  await until(() => remote.unsettledCalls === 0);
  const { accountId, callId } = request;
  expect(unsettled[0]).toEqual({ accountId, callId, requestId });
  expect(charging.decided.has(callId)).toBe(true);
});

test('a call stays unsettled until the notified process has kept it', async () => {
  let keeps = false;
  let notified = 0;
  const onUnsettled = () => {
    notified += 1;
    return keeps ? Promise.resolve() : Promise.reject(new Error('The log is away.'));
  };
  const { url, charging } = await scene.process(undefined, { onUnsettled });
  const remote = await scene.remote([url]);
  charging.before = ({ callId }) => {
    throw new OutcomeUnknownError(callId);
  };
  const request = requestOf({ notAfter: Date.now() + 300 });
  await expect(remote.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  await until(() => notified >= 3);
  expect(remote.unsettledCalls).toBe(1);
  keeps = true;
  await until(() => remote.unsettledCalls === 0);
});

test('a process that is killed leaves its unsettled calls to its successor', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'unsettled-'));
  const journal = new UnsettledJournal(folder, (fault) => scene.faults.push(String(fault)));
  const onUnsettled = () => Promise.reject(new Error('The log is away.'));
  const before = await scene.process(undefined, { onUnsettled });
  const killed = await scene.remote([before.url], { journal });
  before.charging.before = ({ callId }) => {
    throw new OutcomeUnknownError(callId);
  };
  const request = requestOf({ notAfter: Date.now() + 300 });
  await expect(killed.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  expect(journal.holds(request)).toBe(true);
  await killed.close(0);
  const after = await scene.process();
  await scene.remote([after.url], { journal });
  await until(() => after.unsettled.includes(request.callId));
  await until(() => !journal.holds(request));
  expect(scene.faults).toEqual([]);
  await rm(folder, { recursive: true });
});

test('a request that asks again in the new window leaves nothing to give back', async () => {
  const { first, second, remote } = await pair();
  first.charging.hold();
  const refusal = { reason: 'window-moved', window: '2026w48' } as const;
  second.charging.before = () => ({ outcome: 'refused', refusal });
  const request = inLane2();
  const answer = remote.charge(request);
  await until(() => first.charging.asked.length === 1);
  await first.wire.close();
  expect(await answer).toEqual({ outcome: 'refused', refusal });
  expect(remote.unsettledCalls).toBe(1);
  second.charging.before = () => undefined;
  expect(await remote.charge({ ...request, window: '2026w48' })).toMatchObject({
    outcome: 'charged',
  });
  expect(remote.unsettledCalls).toBe(0);
  expect(second.unsettled).toEqual([]);
  first.charging.release();
});

test('"unavailable" is not the answer to a call that an earlier attempt may have charged', async () => {
  const { first, second, remote } = await pair();
  first.wire.mute();
  second.charging.before = () => {
    throw new AccountingUnavailableError('The log is away.');
  };
  const request = inLane2(Date.now() + 500);
  const answer = remote.charge(request);
  await until(() => first.charging.decided.size === 1);
  await first.wire.close();
  await expect(answer).rejects.toEqual(new OutcomeUnknownError(request.callId));
  expect(second.charging.asked.length).toBeGreaterThan(1);
  await until(() => second.unsettled.includes(request.callId));
});

test('a call that nobody can be asked about again waits, and is answered after a reconnection', async () => {
  const { wire, url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  wire.mute();
  const answer = remote.charge(requestOf());
  await until(() => charging.decided.size === 1);
  await wire.close();
  await until(() => !remote.ready());
  await expect(remote.charge(requestOf())).rejects.toBeInstanceOf(AccountingUnavailableError);
  await wire.listen(wire.port);
  expect(await answer).toMatchObject({ outcome: 'charged', replayed: true });
});

test.each<[Refusal, boolean]>([
  [{ reason: 'account-suspended' }, true],
  [{ reason: 'too-late' }, true],
  [{ reason: 'idempotency-conflict', callId: 'c' }, false],
  [{ reason: 'idempotency-key-used', callId: 'c' }, true],
])('after a lost attempt a refusal %j is passed on, and settled: %s', async (refusal, settled) => {
  const { first, second, remote } = await pair();
  first.charging.hold();
  second.charging.before = () => ({ outcome: 'refused', refusal });
  const request = inLane2(Date.now() + 300);
  const answer = remote.charge(request);
  await until(() => first.charging.asked.length === 1);
  await first.wire.close();
  expect(await answer).toEqual({ outcome: 'refused', refusal });
  expect(remote.unsettledCalls).toBe(settled ? 1 : 0);
  // What the first process has read, it decides after the refusal was given.
  first.charging.release();
  if (settled) await until(() => second.unsettled.includes(request.callId));
  expect(second.unsettled).toEqual(settled ? [request.callId] : []);
});

test('a call that was never written is unavailable at once, not unknown', async () => {
  const { wire, url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  wire.stall();
  const { accountId } = requestOf();
  const large = { ...requestOf(), resource: { ...requestOf().resource, group: 'x'.repeat(1_000) } };
  const items = Array.from({ length: 1_500 }, () => large);
  // Far more than the buffers of both ends hold: what is asked after it stays in this process.
  const quotes = Array.from({ length: 8 }, () => remote.quote({ accountId, apiKey: 1, items }));
  const failures = Promise.allSettled(quotes);
  const before = requestOf();
  const answer = remote.charge(before);
  const refused = expect(answer).rejects.toBeInstanceOf(AccountingUnavailableError);
  expect(remote.inFlight).toBe(9);
  await nextTurn();
  await wire.close();
  await refused;
  await failures;
  expect(charging.asked).toEqual([]);
  expect(remote.unsettledCalls).toBe(0);
});

test('what is unsettled is bounded, and the log names what had to be let go', async () => {
  const { url, charging } = await scene.process(undefined, {
    onUnsettled: () => Promise.reject(new Error('The log is away.')),
  });
  const remote = await scene.remote([url], { unsettledMax: 2 });
  charging.before = ({ callId }) => {
    throw new OutcomeUnknownError(callId);
  };
  const requests = [requestOf(), requestOf(), requestOf()];
  for (const request of requests) {
    await expect(remote.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  }
  expect(remote.unsettledCalls).toBe(2);
  expect(scene.faults).toEqual([
    `Too many calls are unsettled: call ${requests[0]?.callId} has to be settled by hand.`,
  ]);
});

test('a quote is asked again elsewhere when its connection breaks', async () => {
  const { first, second, remote } = await pair();
  first.charging.hold();
  const quote = remote.quote({ accountId: ACCOUNT, apiKey: 1, items: [] });
  await until(() => first.charging.quoted === 1);
  await first.wire.close();
  expect(await quote).toMatchObject({ outcome: 'quoted' });
  expect(second.charging.quoted).toBe(1);
  first.charging.release();
});

test('a quote that nobody answers is unavailable in the end', async () => {
  const { wire, url } = await scene.process();
  const remote = await scene.remote([url], { quoteTimeoutMs: 50 });
  wire.mute();
  const quote = remote.quote({ accountId: ACCOUNT, apiKey: 1, items: [] });
  await expect(quote).rejects.toBeInstanceOf(AccountingUnavailableError);
  expect(remote.inFlight).toBe(0);
});
