import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import { laneOf } from '#event-log/event-log.js';
import { DecidingCharging, type DecidedCalls } from '../test-adapters/deciding-charging.js';
import { requestOf, RESOURCE, Scene, SECRET, until } from '../test-adapters/scene.js';
import { RemoteCharging } from './remote-charging.js';

let scene: Scene;

beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.end());

/** Accounts of lane 2 have the first of two processes as their home, those of lane 3 the second. */
function accountOfLane(lane: number): string {
  const account = `00000000-0000-4000-8000-0000000000${(lane - 1).toString(16).padStart(2, '0')}`;
  expect(laneOf(account)).toBe(lane);
  return account;
}

test('a charge comes back exactly as it was decided', async () => {
  const { url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  const request = requestOf({ tags: { team: 'nails é' }, maxCredits: 40 });
  const outcome = await remote.charge(request);
  expect(charging.asked).toEqual([request]);
  expect(outcome).toEqual({
    outcome: 'charged',
    charged: charging.decided.get(request.callId),
    replayed: false,
  });
  expect(remote.inFlight).toBe(0);
});

test('a refusal travels with its data, and leaves nothing to settle', async () => {
  const { url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  const refused = {
    outcome: 'refused',
    refusal: { reason: 'window-moved', window: '2026w48' },
  } as const;
  charging.before = () => refused;
  expect(await remote.charge(requestOf())).toEqual(refused);
  expect(remote.unsettledCalls).toBe(0);
});

test('a quote travels both ways', async () => {
  const { url } = await scene.process();
  const remote = await scene.remote([url]);
  const { accountId, apiKey, key, rows, release, window } = requestOf();
  const item = { key, resource: RESOURCE, rows, release, window };
  const quoted = await remote.quote({ accountId, apiKey, items: [item, item] });
  expect(quoted).toMatchObject({
    outcome: 'quoted',
    balance: 1000,
    items: [{ rule: 'top 5' }, { cost: [10, 25] }],
  });
});

test('a thousand calls at once travel in a few messages, and so do their answers', async () => {
  const { url, wire, charging } = await scene.process();
  const remote = await scene.remote([url]);
  const [framesIn, framesOut] = [wire.framesIn, wire.framesOut];
  const requests = Array.from({ length: 1_000 }, () => requestOf());
  const outcomes = await Promise.all(requests.map((request) => remote.charge(request)));
  expect(outcomes.every(({ outcome }) => outcome === 'charged')).toBe(true);
  expect(charging.decided.size).toBe(1_000);
  expect(wire.framesIn - framesIn).toBeLessThanOrEqual(4);
  expect(wire.framesOut - framesOut).toBeLessThanOrEqual(20);
});

test('each call of a message is answered as soon as it is decided, whatever the others do', async () => {
  const { url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  const [slow, quick] = [requestOf(), requestOf()];
  charging.hold(slow.callId);
  const waiting = remote.charge(slow);
  expect((await remote.charge(quick)).outcome).toBe('charged');
  expect(charging.asked).toEqual([slow, quick]);
  expect(charging.decided.has(slow.callId)).toBe(false);
  charging.release();
  expect((await waiting).outcome).toBe('charged');
});

test('an accounting that is unavailable says so, with its own time to wait', async () => {
  const { url, charging, unsettled } = await scene.process();
  const remote = await scene.remote([url]);
  charging.before = () => {
    throw new AccountingUnavailableError('The log is away.', 7);
  };
  const error: unknown = await remote.charge(requestOf()).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(AccountingUnavailableError);
  expect(error).toMatchObject({ message: 'The log is away.', retryAfterSeconds: 7 });
  expect(unsettled).toEqual([]);
});

test('an outcome that accounting does not know is unknown here too, and is settled', async () => {
  const { url, charging, unsettled } = await scene.process();
  const remote = await scene.remote([url]);
  charging.before = ({ callId }) => {
    throw new OutcomeUnknownError(callId);
  };
  const request = requestOf({ notAfter: Date.now() + 300 });
  await expect(remote.charge(request)).rejects.toEqual(new OutcomeUnknownError(request.callId));
  await until(() => unsettled.includes(request.callId));
  await until(() => remote.unsettledCalls === 0);
});

test('an error that nobody foresaw may mean a charge: it is logged there, unknown here, and settled', async () => {
  const { url, charging, unsettled, faults } = await scene.process();
  const remote = await scene.remote([url]);
  charging.before = () => {
    throw new TypeError('undefined is not a function');
  };
  const request = requestOf({ notAfter: Date.now() + 300 });
  await expect(remote.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  expect(faults).toEqual(['undefined is not a function']);
  await until(() => unsettled.includes(request.callId));
});

test('an error that nobody foresaw makes a quote unavailable, since a quote charges nothing', async () => {
  const { url, charging, faults } = await scene.process();
  const remote = await scene.remote([url]);
  charging.quoteError = new TypeError('undefined is not a function');
  const quote = remote.quote({ accountId: requestOf().accountId, apiKey: 1, items: [] });
  await expect(quote).rejects.toBeInstanceOf(AccountingUnavailableError);
  expect(faults).toEqual(['undefined is not a function']);
});

test('with nothing connected a call is refused at once and may be tried again in a second', async () => {
  const { url, wire } = await scene.process();
  await wire.close();
  const remote = scene.unconnected([url]);
  expect(remote.ready()).toBe(false);
  await expect(remote.charge(requestOf())).rejects.toMatchObject({
    name: 'AccountingUnavailableError',
    retryAfterSeconds: 1,
  });
  await until(() => scene.faults.length > 0);
  expect(scene.faults[0]).toMatch(/^Accounting process tcp:.* is away: connect ECONNREFUSED/);
});

test('requests beyond the limit are refused at once, and those within it are answered', async () => {
  const { url, charging } = await scene.process();
  const remote = await scene.remote([url], { inFlightMax: 2 });
  charging.hold();
  const within = [remote.charge(requestOf()), remote.charge(requestOf())];
  await expect(remote.charge(requestOf())).rejects.toBeInstanceOf(AccountingUnavailableError);
  charging.release();
  expect(await Promise.all(within)).toHaveLength(2);
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
});

test('a server refuses what one connection asks beyond its limit', async () => {
  const { url, charging } = await scene.process(undefined, { inFlightMax: 1 });
  const remote = await scene.remote([url]);
  charging.hold();
  const first = remote.charge(requestOf());
  await until(() => charging.asked.length === 1);
  await expect(remote.charge(requestOf())).rejects.toBeInstanceOf(AccountingUnavailableError);
  charging.release();
  expect((await first).outcome).toBe('charged');
});

test('a call that is too late already is never sent', async () => {
  const { url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  const late = requestOf({ notAfter: Date.now() - 1 });
  await expect(remote.charge(late)).rejects.toBeInstanceOf(AccountingUnavailableError);
  expect(charging.asked).toEqual([]);
});

test('every lane has a home among the processes, and stays there', async () => {
  const log: DecidedCalls = new Map();
  const processes = [
    await scene.process(new DecidingCharging(log)),
    await scene.process(new DecidingCharging(log)),
  ];
  const remote = await scene.remote(processes.map(({ url }) => url));
  for (let call = 0; call < 20; call++) {
    await remote.charge(requestOf({ accountId: accountOfLane(2) }));
    await remote.charge(requestOf({ accountId: accountOfLane(3) }));
  }
  const lanes = processes.map(({ charging }) =>
    charging.asked.map(({ accountId }) => laneOf(accountId)),
  );
  expect(lanes).toEqual([Array(20).fill(2), Array(20).fill(3)]);
});

test('a lane moves on when its process goes, and stays where it went until that is stable again', async () => {
  const log: DecidedCalls = new Map();
  const [home, other] = [
    await scene.process(new DecidingCharging(log)),
    await scene.process(new DecidingCharging(log)),
  ];
  const remote = await scene.remote([home.url, other.url]);
  const charge = () => remote.charge(requestOf({ accountId: accountOfLane(2) }));
  await charge();
  home.wire.cut();
  await until(() => remote.connected === 1);
  await charge();
  await until(() => remote.connected === 2);
  await charge();
  expect([home.charging.asked.length, other.charging.asked.length]).toEqual([1, 2]);
});

test('a lane comes home once its process has stood for a while', async () => {
  const log: DecidedCalls = new Map();
  const [home, other] = [
    await scene.process(new DecidingCharging(log)),
    await scene.process(new DecidingCharging(log)),
  ];
  const remote = await scene.remote([home.url, other.url], { timings: { stableAfterMs: 0 } });
  const charge = () => remote.charge(requestOf({ accountId: accountOfLane(2) }));
  home.wire.cut();
  await until(() => remote.connected === 1);
  await charge();
  await until(() => remote.connected === 2);
  await charge();
  expect([home.charging.asked.length, other.charging.asked.length]).toEqual([1, 1]);
});

test('closing waits for what is under way and takes nothing new', async () => {
  const { url, charging } = await scene.process();
  const remote = await scene.remote([url]);
  charging.hold();
  const waiting = remote.charge(requestOf());
  await until(() => charging.asked.length === 1);
  const closed = remote.close();
  expect(remote.ready()).toBe(false);
  await expect(remote.charge(requestOf())).rejects.toBeInstanceOf(AccountingUnavailableError);
  charging.release();
  expect((await waiting).outcome).toBe('charged');
  await closed;
});

test('a stop that cannot wait hands over what is unsettled before it disconnects', async () => {
  const { url, charging, unsettled } = await scene.process();
  const remote = await scene.remote([url]);
  charging.hold();
  const request = requestOf();
  const waiting = remote.charge(request);
  const refused = expect(waiting).rejects.toBeInstanceOf(OutcomeUnknownError);
  await until(() => charging.asked.length === 1);
  await remote.close(0);
  await refused;
  expect(unsettled).toEqual([request.callId]);
  charging.release();
});

test.each<[string, readonly string[], string, RegExp]>([
  ['no address', [], SECRET, /CHARGING_URLS/],
  ['a wrong address', ['https://a:1'], SECRET, /tcp:/],
  ['a short secret', ['tcp://a:1'], 'short', /CHARGING_SECRET/],
])('%s is refused before anything is connected', (_name, urls, secret, words) => {
  const make = () =>
    new RemoteCharging({ urls, secret, clock: { now: Date.now }, onFault: () => undefined });
  expect(make).toThrow(RangeError);
  expect(make).toThrow(words);
});
