import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import { DecidingCharging, type DecidedCalls } from '../test-adapters/deciding-charging.js';
import { requestOf, Scene, until, type Process } from '../test-adapters/scene.js';
import type { ForwardedRequest, Forwarding } from './forwarding.js';
import type { RemoteCharging } from './remote-charging.js';

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.end());

/** Lane 2: the first of two processes is its home. */
const ACCOUNT = '00000000-0000-4000-8000-000000000001';
const inLane2 = (members: object = {}) => requestOf({ accountId: ACCOUNT, ...members });
const UNABLE = { ready: false, detail: 'database: it does not answer' };
const ABLE = { ready: true };
const LOG_AWAY = new AccountingUnavailableError('The log is away.', 3);

/** Two processes over one log, the first of which is asked first and answers nothing as yet. */
async function pair(): Promise<{ first: Process; second: Process; remote: RemoteCharging }> {
  const log: DecidedCalls = new Map();
  const first = await scene.process(new DecidingCharging(log));
  const second = await scene.process(new DecidingCharging(log));
  const remote = await scene.remote([first.url, second.url]);
  first.charging.hold();
  return { first, second, remote };
}

function refuse({ charging }: Process, error: Error): void {
  charging.before = () => {
    throw error;
  };
}

async function isAsked({ charging }: Process, times = 1): Promise<void> {
  await until(() => charging.asked.length === times, 'it is asked');
}

test('calls that wait at a process which becomes unable are made by another under their ids', async () => {
  const { first, second, remote } = await pair();
  const requests = Array.from({ length: 100 }, () => inLane2());
  const answers = requests.map((request) => remote.charge(request));
  await isAsked(first, 100);
  first.server.announce(UNABLE);
  const outcomes = await Promise.all(answers);
  expect(outcomes.every(({ outcome }) => outcome === 'charged')).toBe(true);
  expect(second.charging.asked).toEqual(requests.map((request) => ({ ...request, isRetry: true })));
  first.charging.release();
  await until(() => first.charging.decided.size === 100);
  expect(remote.unsettledCalls).toBe(0);
});

test('a call that the unable process has made after all is found, and its answer is taken', async () => {
  const { first, second, remote } = await pair();
  second.charging.hold();
  const request = inLane2();
  const answer = remote.charge(request);
  await isAsked(first);
  first.server.announce(UNABLE);
  await isAsked(second);
  first.charging.release();
  expect(await answer).toMatchObject({ outcome: 'charged', replayed: false });
  second.charging.release();
  expect(first.charging.decided.size).toBe(1);
  expect(remote.unsettledCalls).toBe(0);
});

test('where all processes become unable and say that they did not charge, the answer is that', async () => {
  const { first, second, remote } = await pair();
  second.charging.hold();
  refuse(first, LOG_AWAY);
  refuse(second, LOG_AWAY);
  const answer = remote.charge(inLane2({ notAfter: Date.now() + 60_000 }));
  const seen = answer.catch((error: unknown) => error);
  await isAsked(first);
  first.server.announce(UNABLE);
  await isAsked(second);
  second.server.announce(UNABLE);
  second.charging.release();
  first.charging.release();
  expect(await seen).toBeInstanceOf(AccountingUnavailableError);
  expect(remote.unsettledCalls).toBe(0);
});

test('where the unable process does not know what became of it, nor does the answer', async () => {
  const { first, second, remote } = await pair();
  const request = inLane2({ notAfter: Date.now() + 500 });
  second.charging.hold();
  refuse(first, new OutcomeUnknownError(request.callId));
  refuse(second, LOG_AWAY);
  const seen = remote.charge(request).catch((error: unknown) => error);
  await isAsked(first);
  first.server.announce(UNABLE);
  await isAsked(second);
  first.charging.release();
  second.charging.release();
  expect(await seen).toEqual(new OutcomeUnknownError(request.callId));
});

test('what is refused while the unable process may still charge it is settled', async () => {
  const { first, second, remote } = await pair();
  const refusal = { reason: 'key-invalid' } as const;
  second.charging.before = () => ({ outcome: 'refused', refusal });
  const request = inLane2({ notAfter: Date.now() + 300 });
  const answer = remote.charge(request);
  await isAsked(first);
  first.server.announce(UNABLE);
  expect(await answer).toEqual({ outcome: 'refused', refusal });
  first.charging.release();
  await until(() => first.charging.decided.size === 1);
  await until(() => [...first.unsettled, ...second.unsettled].includes(request.callId));
});

test('with no other process a call stays where it is, and its sure answer is passed on', async () => {
  const only = await scene.process();
  const remote = await scene.remote([only.url]);
  only.charging.hold();
  refuse(only, LOG_AWAY);
  const seen = remote.charge(inLane2()).catch((error: unknown) => error);
  await isAsked(only);
  only.server.announce(UNABLE);
  await until(() => !remote.ready());
  only.charging.release();
  expect(await seen).toMatchObject({ message: 'The log is away.', retryAfterSeconds: 3 });
  expect(only.charging.asked).toHaveLength(1);
  expect(remote.unsettledCalls).toBe(0);
});

test('a call that waits at an unable process is made by another as soon as that can decide', async () => {
  const { first, second, remote } = await pair();
  second.server.announce(UNABLE);
  await until(() => remote.connected === 1);
  const answer = remote.charge(inLane2());
  await isAsked(first);
  first.server.announce(UNABLE);
  await until(() => !remote.ready());
  second.server.announce(ABLE);
  expect(await answer).toMatchObject({ outcome: 'charged' });
});

test('a call follows processes that become unable in turns, and is decided once', async () => {
  const { first, second, remote } = await pair();
  second.charging.hold();
  const answer = remote.charge(inLane2());
  await isAsked(first);
  for (const turns of [1, 2, 3]) {
    second.server.announce(ABLE);
    await until(() => remote.connected === 2);
    first.server.announce(UNABLE);
    await isAsked(second, turns);
    first.server.announce(ABLE);
    await until(() => remote.connected === 2);
    second.server.announce(UNABLE);
    await isAsked(first, turns + 1);
  }
  second.charging.release();
  first.charging.release();
  expect(await answer).toMatchObject({ outcome: 'charged' });
  expect(first.charging.decided.size).toBe(1);
});

test('a quote that waits at a process which becomes unable is made by another', async () => {
  const { first, second, remote } = await pair();
  const answer = remote.quote({ accountId: ACCOUNT, apiKey: 1, items: [] });
  await until(() => first.charging.quoted === 1);
  first.server.announce(UNABLE);
  expect(await answer).toMatchObject({ outcome: 'quoted' });
  expect(second.charging.quoted).toBe(1);
});

const LIST: ForwardedRequest = {
  accountId: ACCOUNT,
  apiKeyId: ACCOUNT,
  requestId: ACCOUNT,
  method: 'GET',
  target: '/v1/account/budgets',
  headers: {},
  body: null,
};
const LISTED = { status: 200, headers: {}, body: '[]' };

/** The second of two processes answers what is forwarded, the first never does. */
async function forwarders() {
  const asked: string[] = [];
  const silent: Forwarding = {
    forward: async ({ method }) => {
      asked.push(method);
      return new Promise(() => undefined);
    },
  };
  const answering: Forwarding = { forward: async () => LISTED };
  const first = await scene.process(undefined, { forwarding: silent });
  const second = await scene.process(undefined, { forwarding: answering });
  return { asked, first, remote: await scene.remote([first.url, second.url]) };
}

test.each([
  ['becomes unable', ({ server }: Process) => server.announce(UNABLE)],
  ['goes away', ({ wire }: Process) => wire.cut()],
])('a forwarded list is asked of another process where one %s', async (_how, fail) => {
  const { asked, first, remote } = await forwarders();
  const answer = remote.forward(LIST);
  await until(() => asked.length === 1);
  fail(first);
  expect(await answer).toEqual(LISTED);
});

test('a forwarded change that an unable process may make is asked of no other', async () => {
  const { asked, first, remote } = await forwarders();
  const seen = remote.forward({ ...LIST, method: 'POST' }).catch((error: unknown) => error);
  await until(() => asked.length === 1);
  first.server.announce(UNABLE);
  await until(() => remote.connected === 1);
  first.wire.cut();
  expect(await seen).toMatchObject({ message: expect.stringContaining('It is not known') });
});
