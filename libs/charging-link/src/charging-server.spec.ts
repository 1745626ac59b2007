import { createServer, type AddressInfo } from 'node:net';
import { AccountingUnavailableError, OutcomeUnknownError } from '#account/charging.js';
import { DecidingCharging } from '../test-adapters/deciding-charging.js';
import { RawPeer } from '../test-adapters/raw-peer.js';
import { requestOf, Scene, SECRET, until } from '../test-adapters/scene.js';
import { ChargingServer } from './charging-server.js';
import { encodeFrame } from './frames.js';
import { EARLIER_VERSION, hello, PROTOCOL_VERSION } from './handshake.js';

const OTHER_SECRET = 'another secret that is long enough';

let scene: Scene;
let peers: RawPeer[];

beforeEach(() => {
  scene = new Scene();
  peers = [];
});
afterEach(async () => {
  for (const peer of peers) peer.end();
  await scene.end();
});

function peerOf(url: string): RawPeer {
  const peer = new RawPeer(url);
  peers.push(peer);
  return peer;
}

test('an API process with another secret is refused, both logs say why, and nothing is charged', async () => {
  const { url, charging, faults } = await scene.process();
  const remote = scene.unconnected([url], { secret: OTHER_SECRET });
  await until(() => faults.length > 0 && scene.faults.length > 0);
  expect(faults[0]).toMatch(
    /^API process at 127.0.0.1:\d+ was refused: the two sides have different values of CHARGING_SECRET\.$/,
  );
  expect(scene.faults).toEqual([
    `Accounting process ${url} is away: the two sides have different values of CHARGING_SECRET.`,
  ]);
  expect(remote.ready()).toBe(false);
  await expect(remote.charge(requestOf())).rejects.toBeInstanceOf(AccountingUnavailableError);
  expect(charging.asked).toEqual([]);
});

test('no log line holds a secret', async () => {
  const { url, faults } = await scene.process();
  scene.unconnected([url], { secret: OTHER_SECRET });
  await until(() => faults.length > 0 && scene.faults.length > 0);
  const lines = [...faults, ...scene.faults].join('\n');
  expect(lines).not.toContain(SECRET);
  expect(lines).not.toContain(OTHER_SECRET);
});

test('a peer with a wrong proof is refused with a message, and receives nothing else', async () => {
  const { directUrl, charging, faults } = await scene.process();
  const peer = peerOf(directUrl);
  peer.say(hello(peer.nonce));
  await until(() => peer.heard.length === 1);
  const charge = { kind: 'charge', id: 1, request: requestOf() };
  peer.say({ kind: 'proof', proof: 'ab'.repeat(32) }, charge);
  await until(() => peer.closed);
  expect(peer.heard.slice(1)).toEqual([
    { kind: 'refused', reason: 'secret', version: PROTOCOL_VERSION },
  ]);
  expect(charging.asked).toEqual([]);
  expect(faults[0]).toContain('CHARGING_SECRET');
});

test('a stranger hears a nonce, and nothing that depends on the secret', async () => {
  const { directUrl } = await scene.process();
  const peer = peerOf(directUrl);
  peer.say(hello(peer.nonce));
  await until(() => peer.heard.length === 1);
  expect(peer.heard[0]).toEqual({
    kind: 'challenge',
    version: PROTOCOL_VERSION,
    nonce: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
  });
});

test('a peer of the version before is refused, with the version to speak', async () => {
  const { directUrl, charging } = await scene.process();
  const peer = peerOf(directUrl);
  peer.say(hello(peer.nonce, EARLIER_VERSION));
  await until(() => peer.closed);
  expect(peer.heard).toEqual([{ kind: 'refused', reason: 'version', version: PROTOCOL_VERSION }]);
  expect(charging.asked).toEqual([]);
});

test('a peer that asks before it has proven itself is refused', async () => {
  const { directUrl, charging, server } = await scene.process();
  const peer = peerOf(directUrl);
  peer.say({ kind: 'charge', id: 1, request: requestOf() });
  await until(() => peer.closed);
  expect(peer.heard).toEqual([{ kind: 'refused', reason: 'malformed', version: PROTOCOL_VERSION }]);
  expect(charging.asked).toEqual([]);
  await until(() => server.connected === 0);
});

test('a peer of another version is refused with a line that names both versions', async () => {
  const { directUrl, faults } = await scene.process();
  const peer = peerOf(directUrl);
  peer.say({ ...hello(peer.nonce), version: 99 });
  await until(() => peer.closed);
  expect(faults[0]).toContain(
    `version 99 of the charging protocol, this process version ${PROTOCOL_VERSION}`,
  );
});

test('a peer that does not prove itself in time is disconnected', async () => {
  const { directUrl, faults } = await scene.process(undefined, { handshakeTimeoutMs: 30 });
  const peer = peerOf(directUrl);
  await until(() => peer.closed);
  expect(faults[0]).toContain('it did not prove itself in time');
});

test('strangers beyond the limit end the oldest of them, and no API process', async () => {
  const { url, directUrl, faults, server } = await scene.process(undefined, { strangersMax: 3 });
  const remote = await scene.remote([url]);
  const strangers: RawPeer[] = [];
  for (let count = 1; count <= 8; count += 1) {
    strangers.push(peerOf(directUrl));
    const expected = Math.max(0, count - 3);
    await until(() => strangers.filter(({ closed }) => closed).length === expected);
    await until(() => server.connected === 1 + Math.min(count, 3));
  }
  expect(strangers.slice(-3).some(({ closed }) => closed)).toBe(false);
  expect(faults).toEqual(['More than 3 connections have not proven themselves yet.']);
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
  const late = await scene.remote([url]);
  expect((await late.charge(requestOf())).outcome).toBe('charged');
});

test('a peer that falls silent is disconnected', async () => {
  const { directUrl, faults } = await scene.process(undefined, { silenceMaxMs: 50 });
  const peer = peerOf(directUrl);
  await peer.introduce();
  await until(() => peer.closed);
  expect(faults[0]).toContain('it fell silent');
});

test('an unproven peer may send no frame that is larger than a handshake needs', async () => {
  const { directUrl, faults } = await scene.process();
  const peer = peerOf(directUrl);
  peer.sayBytes(encodeFrame(JSON.stringify('x'.repeat(2_000))));
  await until(() => peer.closed);
  expect(faults[0]).toContain('is not between 1 and 1024');
});

const charge = (members: object) => ({
  kind: 'charge',
  id: 1,
  request: { ...requestOf(), ...members },
});

test.each<[string, Buffer]>([
  ['a frame that is too large', Buffer.from([0x7f, 0xff, 0xff, 0xff])],
  ['garbage', Buffer.from('GET / HTTP/1.1\r\nHost: accounting\r\n\r\n')],
  ['a frame that is no JSON', Buffer.from([0, 0, 0, 2, 0x5b, 0x7b])],
  ['a frame without a list', encodeFrame('{"kind":"ping"}')],
  ['an unknown message', encodeFrame('[{"kind":"grant","id":1}]')],
  [
    'a charge without an id',
    encodeFrame(JSON.stringify([{ kind: 'charge', request: requestOf() }])),
  ],
  ['a charge of nobody', encodeFrame(JSON.stringify([charge({ accountId: 'me' })]))],
  ['a charge without an end', encodeFrame(JSON.stringify([charge({ notAfter: null })]))],
  ['a quote of nothing', encodeFrame('[{"kind":"quote","id":1,"request":{}}]')],
])('%s ends its connection, and no other', async (_name, bytes) => {
  const { url, directUrl, faults, charging } = await scene.process();
  const remote = await scene.remote([url]);
  const peer = peerOf(directUrl);
  await peer.introduce();
  peer.sayBytes(bytes);
  await until(() => peer.closed);
  expect(faults).toHaveLength(1);
  expect(faults[0]).toMatch(/^Connection of API process 127\.0\.0\.1:\d+ was lost: /);
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
  expect(charging.asked).toHaveLength(1);
});

test('garbage from an accounting process ends the connection, and its calls are not believed', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined).resume();
    socket.write('HTTP/1.1 400 Bad Request\r\n\r\n');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `tcp://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const remote = scene.unconnected([url]);
  await until(() => scene.faults.length > 0);
  expect(scene.faults[0]).toContain('A frame of');
  expect(remote.ready()).toBe(false);
  await remote.close(0);
  await new Promise((resolve) => server.close(resolve));
});

test('a server that closes answers what is under way, and new calls go elsewhere', async () => {
  const leaving = await scene.process();
  const staying = await scene.process();
  const remote = await scene.remote([leaving.url, staying.url]);
  leaving.charging.hold();
  const accountId = '00000000-0000-4000-8000-000000000001';
  const underWay = remote.charge(requestOf({ accountId }));
  await until(() => leaving.charging.asked.length === 1);
  const closed = leaving.server.close();
  await until(() => remote.connected === 1);
  expect((await remote.charge(requestOf({ accountId }))).outcome).toBe('charged');
  expect(staying.charging.asked).toHaveLength(1);
  leaving.charging.release();
  expect(await underWay).toMatchObject({ outcome: 'charged', replayed: false });
  await closed;
  expect(leaving.faults).toEqual([]);
  expect(leaving.charging.asked).toHaveLength(1);
});

test('what reaches a server after it began to close is asked of another one', async () => {
  const leaving = await scene.process();
  const staying = await scene.process();
  const remote = await scene.remote([leaving.url, staying.url]);
  // Written before the word that it is leaving can have arrived, read after it was given.
  const accountId = '00000000-0000-4000-8000-000000000001';
  const answers = Array.from({ length: 50 }, () => remote.charge(requestOf({ accountId })));
  const closed = leaving.server.close();
  const outcomes = await Promise.all(answers);
  expect(outcomes.every((one) => one.outcome === 'charged' && !one.replayed)).toBe(true);
  expect(leaving.charging.decided.size + staying.charging.decided.size).toBe(50);
  await closed;
});

test('with no other process, what a closing server does not take is surely not charged', async () => {
  const { directUrl, server, charging } = await scene.process();
  const peer = peerOf(directUrl);
  await peer.introduce();
  charging.hold();
  peer.say(charge({}));
  await until(() => charging.asked.length === 1);
  const closed = server.close();
  await until(() => peer.heard.length === 4);
  peer.say({ ...charge({}), id: 2 });
  await until(() => peer.heard.length === 5);
  expect(peer.heard.slice(3)).toEqual([{ kind: 'leaving' }, { kind: 'draining', id: 2 }]);
  peer.say({ kind: 'bye' });
  charging.release();
  await until(() => peer.closed);
  expect(peer.heard[5]).toEqual(expect.arrayContaining([1, requestOf({}).asked, 'base']));
  await closed;
});

test('a server does not wait for ever for a call that is never decided', async () => {
  const { url, server, charging } = await scene.process();
  const remote = await scene.remote([url]);
  charging.hold();
  const request = requestOf({ notAfter: Date.now() + 500 });
  const unknown = expect(remote.charge(request)).rejects.toBeInstanceOf(OutcomeUnknownError);
  await until(() => charging.asked.length === 1);
  await server.close(30);
  await unknown;
  charging.release();
});

test.each(['x'.repeat(31), 'x'.repeat(64), 'changeme'.repeat(8)])(
  'the secret %s is refused before anything listens',
  (secret) => {
    const options = {
      charging: new DecidingCharging(),
      onUnsettled: () => undefined,
      onFault: () => undefined,
    };
    expect(() => new ChargingServer({ ...options, secret })).toThrow(/^CHARGING_SECRET takes/);
  },
);

test('an address that is in use is refused by its code', async () => {
  const { wire, charging } = await scene.process();
  const second = new ChargingServer({
    charging,
    secret: SECRET,
    onUnsettled: () => undefined,
    onFault: () => undefined,
  });
  await expect(second.listen('127.0.0.1', wire.port)).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
