import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import { DecidingCharging, type DecidedCalls } from '../test-adapters/deciding-charging.js';
import { EarlierAccounting } from '../test-adapters/earlier-accounting.js';
import { requestOf, Scene, until, type Process } from '../test-adapters/scene.js';
import { Wire } from '../test-adapters/wire.js';
import type { RemoteCharging } from './remote-charging.js';

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.end());

/** Lane 2: the first of two processes is its home. */
const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const inLane2 = (members: object = {}) => requestOf({ accountId: ACCOUNT, ...members });
const UNABLE = { ready: false, detail: 'clock: it is 10000 ms ahead' };

/** Two processes over one log, the first of which is asked first. */
async function pair(
  stableAfterMs?: number,
): Promise<{ first: Process; second: Process; remote: RemoteCharging }> {
  const log: DecidedCalls = new Map();
  const first = await scene.process(new DecidingCharging(log));
  const second = await scene.process(new DecidingCharging(log));
  const timings = stableAfterMs === undefined ? {} : { stableAfterMs };
  const remote = await scene.remote([first.url, second.url], { timings });
  return { first, second, remote };
}

function refuseAll({ charging }: Process, retryAfterSeconds?: number): void {
  const error = new AccountingUnavailableError('The log is away.', retryAfterSeconds);
  charging.quoteError = error;
  charging.before = () => {
    throw error;
  };
}

const quoteIn2 = { accountId: ACCOUNT, apiKey: 1, items: [] };

test('a process that says that it cannot decide is asked nothing, and the log says why', async () => {
  const { first, second, remote } = await pair();
  first.server.announce(UNABLE);
  await until(() => remote.connected === 1);
  expect((await remote.charge(inLane2())).outcome).toBe('charged');
  expect((await remote.quote(quoteIn2)).outcome).toBe('quoted');
  expect([first.charging.asked.length, first.charging.quoted]).toEqual([0, 0]);
  expect([second.charging.asked.length, second.charging.quoted]).toEqual([1, 1]);
  expect(scene.faults).toEqual([
    `Accounting process ${first.url} cannot decide: clock: it is 10000 ms ahead.`,
  ]);
  expect(remote.trouble).toBe('process 1: clock: it is 10000 ms ahead');
});

test('a process that cannot decide when it is connected to says so before it is asked', async () => {
  const { first, remote } = await pair();
  first.server.announce(UNABLE);
  first.wire.cut();
  await until(() => first.wire.connections === 2 && first.server.connected === 1);
  expect((await remote.charge(inLane2())).outcome).toBe('charged');
  expect(first.charging.asked).toEqual([]);
});

test('a lane comes home once its process can decide again and has been able for a while', async () => {
  const { first, second, remote } = await pair(0);
  first.server.announce(UNABLE);
  await until(() => remote.connected === 1);
  await remote.charge(inLane2());
  first.server.announce({ ready: true });
  await until(() => remote.connected === 2);
  await remote.charge(inLane2());
  expect([first.charging.asked.length, second.charging.asked.length]).toEqual([1, 1]);
});

test('a lane stays where it went while its process has only just become able', async () => {
  const { first, second, remote } = await pair();
  first.server.announce(UNABLE);
  await until(() => remote.connected === 1);
  await remote.charge(inLane2());
  first.server.announce({ ready: true });
  await until(() => remote.connected === 2);
  await remote.charge(inLane2());
  expect([first.charging.asked.length, second.charging.asked.length]).toEqual([0, 2]);
});

test('where no process can decide, nothing is asked and nothing charged', async () => {
  const { first, second, remote } = await pair();
  first.server.announce(UNABLE);
  second.server.announce({ ready: false, detail: 'database: away' });
  await until(() => !remote.ready());
  await expect(remote.charge(inLane2())).rejects.toBeInstanceOf(AccountingUnavailableError);
  await expect(remote.quote(quoteIn2)).rejects.toBeInstanceOf(AccountingUnavailableError);
  expect([...first.charging.asked, ...second.charging.asked]).toEqual([]);
});

test('a charge that one process surely did not make is made by another, in the same request', async () => {
  const { first, second, remote } = await pair();
  refuseAll(first);
  const request = inLane2();
  expect(await remote.charge(request)).toMatchObject({ outcome: 'charged', replayed: false });
  expect(first.charging.asked).toEqual([request]);
  expect(second.charging.asked).toEqual([request]);
  expect(remote.unsettledCalls).toBe(0);
});

test('a quote that one process cannot make is made by another', async () => {
  const { first, remote } = await pair();
  refuseAll(first);
  expect(await remote.quote(quoteIn2)).toMatchObject({ outcome: 'quoted' });
  expect(first.charging.quoted).toBe(1);
});

test('each process is asked once, and then its word is passed on', async () => {
  const { first, second, remote } = await pair();
  refuseAll(first, 3);
  refuseAll(second, 7);
  const error: unknown = await remote.charge(inLane2()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AccountingUnavailableError);
  expect(error).toMatchObject({ message: 'The log is away.', retryAfterSeconds: 7 });
  expect([first.charging.asked.length, second.charging.asked.length]).toEqual([1, 1]);
  await expect(remote.quote(quoteIn2)).rejects.toMatchObject({ message: 'The log is away.' });
  expect([first.charging.quoted, second.charging.quoted]).toEqual([1, 1]);
});

test('a charge whose fate one process does not know is sent to no other', async () => {
  const { first, second, remote } = await pair();
  first.charging.before = ({ callId }) => {
    throw new OutcomeUnknownError(callId);
  };
  const request = inLane2({ notAfter: Date.now() + 10_000 });
  await expect(remote.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  expect(second.charging.asked).toEqual([]);
});

test('a charge is sent to no other process once its time is over', async () => {
  const { first, second, remote } = await pair();
  const request = inLane2({ notAfter: Date.now() + 500 });
  first.charging.before = () => {
    while (Date.now() <= request.notAfter);
    throw new AccountingUnavailableError('The log did not answer in time.');
  };
  await expect(remote.charge(request)).rejects.toMatchObject({
    name: 'AccountingUnavailableError',
    message: 'The log did not answer in time.',
  });
  expect(second.charging.asked).toEqual([]);
});

test('what another process may have charged is asked with its id, whoever is unavailable', async () => {
  const { first, second, remote } = await pair();
  first.wire.mute();
  const request = inLane2();
  const answer = remote.charge(request);
  await until(() => first.charging.decided.size === 1);
  refuseAll(second);
  await first.wire.close();
  await until(() => second.charging.asked.length > 1);
  second.charging.before = () => undefined;
  expect(await answer).toMatchObject({ outcome: 'charged', replayed: true });
  expect(second.charging.asked.every(({ isRetry }) => isRetry)).toBe(true);
});

test('a settlement that waits at a process which cannot decide any more is handed to another', async () => {
  let isTaken = false;
  const onUnsettled = (): Promise<void> => {
    isTaken = true;
    return new Promise(() => undefined);
  };
  const first = await scene.process(new DecidingCharging(), { onUnsettled });
  const second = await scene.process();
  const remote = await scene.remote([first.url, second.url]);
  first.charging.before = ({ callId }) => {
    throw new OutcomeUnknownError(callId);
  };
  const request = inLane2({ notAfter: Date.now() + 300 });
  await expect(remote.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  await until(() => isTaken);
  first.server.announce(UNABLE);
  await until(() => second.unsettled.includes(request.callId));
  await until(() => remote.unsettledCalls === 0);
});

test('an accounting process of the version before is spoken to in its version', async () => {
  const earlier = await EarlierAccounting.start();
  const remote = await scene.remote([earlier.url]);
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
  expect(earlier.charging.asked).toHaveLength(1);
  expect(scene.faults).toEqual([]);
  await remote.close();
  await earlier.stop();
});

test('a process that was upgraded meanwhile is spoken to in its new version', async () => {
  const earlier = await EarlierAccounting.start();
  const { port, url } = earlier;
  const remote = await scene.remote([url]);
  await earlier.stop();
  await until(() => !remote.ready());
  const { directUrl, charging } = await scene.process();
  const sameAddress = new Wire(Number(new URL(directUrl).port));
  await sameAddress.listen(port);
  await until(() => remote.ready());
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
  expect(charging.asked).toHaveLength(1);
  await sameAddress.close();
});
