import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { AccountingUnavailableError } from '#account/charging.js';
import { TestAuthority, type Credentials } from '../../../test/setup/test-authority.js';
import { DecidingCharging } from '../test-adapters/deciding-charging.js';
import { RawPeer } from '../test-adapters/raw-peer.js';
import { requestOf, Scene, until, type Process } from '../test-adapters/scene.js';
import type { ChargingServerOptions } from './charging-server.js';

const DAY_MS = 86_400_000;

let authority: TestAuthority;
let other: TestAuthority;
let server: Credentials;
let client: Credentials;
let scene: Scene;

beforeAll(async () => {
  [authority, other] = await Promise.all([TestAuthority.make(), TestAuthority.make('CN=another')]);
  [server, client] = await Promise.all([authority.issue(), authority.issue([])]);
});
beforeEach(() => {
  scene = new Scene();
});
afterEach(() => scene.end());

function processOf(tls: Credentials | undefined, options: Partial<ChargingServerOptions> = {}) {
  return scene.process(new DecidingCharging(), { tls, ...options });
}

/** Both sides' first lines, once each has one; nothing was charged, and nothing hangs. */
async function refusal(process: Process, tls: Credentials | undefined): Promise<[string, string]> {
  const remote = scene.unconnected([process.directUrl], { tls });
  const { faults, charging } = process;
  await until(() => faults.length > 0 && scene.faults.length > 0, 'both sides have said why');
  expect(remote.ready()).toBe(false);
  await expect(remote.charge(requestOf())).rejects.toBeInstanceOf(AccountingUnavailableError);
  expect(charging.asked).toEqual([]);
  return [faults[0] ?? '', scene.faults[0] ?? ''];
}

test('two processes with certificates of one CA accept each other, and charge', async () => {
  const { directUrl, charging, faults } = await processOf(server);
  const remote = await scene.remote([directUrl], { tls: client });
  const outcomes = await Promise.all(Array.from({ length: 300 }, () => remote.charge(requestOf())));
  expect(outcomes.every(({ outcome }) => outcome === 'charged')).toBe(true);
  expect(charging.decided.size).toBe(300);
  expect([...faults, ...scene.faults]).toEqual([]);
});

test('a server is known by a name of its certificate too', async () => {
  const named = await authority.issue([{ type: 'dns', value: 'localhost' }]);
  const { directUrl } = await processOf(named);
  const url = directUrl.replace('127.0.0.1', 'localhost');
  const remote = await scene.remote([url], { tls: client });
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
});

test('while one CA replaces another, both of a file are trusted', async () => {
  const both = `${other.pem}\n${authority.pem}`;
  const { directUrl } = await processOf({ ...server, ca: both });
  const renewed = { ...(await other.issue([])), ca: both };
  const remote = await scene.remote([directUrl], { tls: renewed });
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
});

test('the secret is needed beside the certificate', async () => {
  const { directUrl, faults } = await processOf(server);
  const secret = 'another secret that is long enough';
  scene.unconnected([directUrl], { tls: client, secret });
  await until(() => faults.length > 0 && scene.faults.length > 0);
  expect(faults[0]).toContain('different values of CHARGING_SECRET');
});

test('a client with a certificate of another CA is refused', async () => {
  const foreign = { ...(await other.issue([])), ca: authority.pem };
  const [theirs, ours] = await refusal(await processOf(server), foreign);
  expect(theirs).toMatch(/^API process at .+ was refused: its certificate is of no CA/);
  expect(ours).toContain('does not take the certificate of this process');
});

test('a client whose certificate has expired is refused', async () => {
  const [theirs] = await refusal(await processOf(server), await authority.issue([], -DAY_MS));
  expect(theirs).toContain('was refused: its certificate has expired');
});

test('a client without a certificate is refused, and hears nothing', async () => {
  const { directUrl, faults } = await processOf(server);
  const port = Number(new URL(directUrl).port);
  const heard: Buffer[] = [];
  const socket = connectTls({ host: '127.0.0.1', port, ca: authority.pem });
  socket.on('data', (chunk: Buffer) => heard.push(chunk)).on('error', () => undefined);
  await until(() => socket.closed);
  await until(() => faults.length > 0);
  expect(faults[0]).toContain('was refused: it shows no certificate');
  expect(heard).toEqual([]);
});

test('a server whose certificate does not name its host is refused', async () => {
  const elsewhere = await authority.issue([{ type: 'dns', value: 'accounting-1' }]);
  const [theirs, ours] = await refusal(await processOf(elsewhere), client);
  expect(ours).toContain('does not name the host that CHARGING_URLS gives it');
  expect(theirs).toContain('it ended the connection in the handshake, and may not take');
});

test('a server with a certificate of another CA, or an expired one, is refused', async () => {
  const foreign = { ...(await other.issue()), ca: authority.pem };
  expect((await refusal(await processOf(foreign), client))[1]).toContain('is of no CA');
  scene.faults.length = 0;
  const old = await authority.issue(undefined, -DAY_MS);
  expect((await refusal(await processOf(old), client))[1]).toContain('has expired');
});

test('a client that speaks no TLS is refused, and both sides say so', async () => {
  const [theirs, ours] = await refusal(await processOf(server), undefined);
  expect(theirs).toContain('was refused: it does not speak TLS, and this process does');
  expect(ours).toContain('it may speak TLS, and this process has no CHARGING_TLS_CERT');
});

test('a server that speaks no TLS is refused, and both sides say so', async () => {
  const [theirs, ours] = await refusal(await processOf(undefined), client);
  expect(theirs).toContain('it speaks TLS, and this process has no CHARGING_TLS_CERT');
  expect(ours).toContain('it speaks no TLS, or does not take the certificate of this process');
});

test('nobody speaks a TLS before 1.3', async () => {
  const { directUrl, faults } = await processOf(server);
  const port = Number(new URL(directUrl).port);
  const options = { host: '127.0.0.1', port, ...client, maxVersion: 'TLSv1.2' } as const;
  const socket = connectTls(options).on('error', () => undefined);
  await until(() => socket.closed);
  await until(() => faults.length > 0);
  expect(faults[0]).toContain('it speaks no TLS 1.3');
});

test('strangers count from their first packet on, and end before their handshake too', async () => {
  const limits = { strangersMax: 3 };
  const { directUrl, faults } = await processOf(server, limits);
  const remote = await scene.remote([directUrl], { tls: client });
  const strangers = Array.from({ length: 8 }, () => {
    const socket = connect(Number(new URL(directUrl).port), '127.0.0.1');
    return socket.on('error', () => undefined).resume();
  });
  await until(() => strangers.filter(({ closed }) => closed).length === 5);
  expect(faults[0]).toBe('More than 3 connections have not proven themselves yet.');
  expect((await remote.charge(requestOf())).outcome).toBe('charged');
  const late = await scene.remote([directUrl], { tls: client });
  expect((await late.charge(requestOf())).outcome).toBe('charged');
  for (const socket of strangers) socket.destroy();
});

test('a peer that does not finish its handshake in time is disconnected', async () => {
  const { directUrl, faults } = await processOf(server, { handshakeTimeoutMs: 50 });
  const socket = connect(Number(new URL(directUrl).port), '127.0.0.1').resume();
  await until(() => socket.closed);
  await until(() => faults.length > 0);
  expect(faults[0]).toContain('it did not prove itself in time');
});

test('a flood of refused peers logs one line', async () => {
  const { directUrl, faults } = await processOf(server);
  const peers = Array.from({ length: 50 }, () => new RawPeer(directUrl));
  for (const peer of peers) peer.sayBytes(Buffer.from('GET / HTTP/1.1\r\n\r\n'));
  await until(() => peers.every(({ closed }) => closed));
  expect(faults.filter((line) => line.includes('does not speak TLS'))).toHaveLength(1);
});
