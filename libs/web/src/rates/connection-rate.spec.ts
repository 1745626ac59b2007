import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import net from 'node:net';
import { ConnectionRate } from './connection-rate.js';

const POLICY = { perSecond: 20, burst: 3 };
let server: Server;

async function listen(rate: ConnectionRate): Promise<number> {
  server = createServer((_, response) => response.end('served'));
  rate.attach(server);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as net.AddressInfo).port;
}

afterEach(() => {
  server?.close();
});

/** All bytes that a new connection receives until it ends. */
async function ask(port: number): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (text: string) => (heard += text)).on('error', () => undefined);
  socket.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await once(socket, 'close');
  return heard;
}

it('connections beyond the burst wait for their turn, and those beyond a second one are closed', () => {
  let now = 0;
  const rate = new ConnectionRate([], POLICY, () => now);
  const waits = (count: number) => Array.from({ length: count }, () => rate.waitMs('192.0.2.1'));
  expect(waits(8)).toEqual([0, 0, 0, 50, 100, 150, null, null]);
  expect(rate.waitMs('192.0.2.2')).toBe(0);
  now = 100;
  expect(waits(3)).toEqual([100, 150, null]);
});

it('connections of a trusted proxy are not counted', () => {
  const rate = new ConnectionRate(['10.0.0.0/8'], POLICY, () => 0);
  for (let count = 0; count < 20; count += 1) expect(rate.waitMs('::ffff:10.1.2.3')).toBe(0);
});

it('a connection that waited is served what it asked before its turn', async () => {
  const port = await listen(new ConnectionRate([], POLICY));
  const heard = await Promise.all(Array.from({ length: 6 }, () => ask(port)));
  expect(heard.filter((text) => text.endsWith('served'))).toHaveLength(6);
});

it('one that gives up while it waits leaves nothing behind', async () => {
  const port = await listen(new ConnectionRate([], { perSecond: 5, burst: 1 }, () => 0));
  expect(await ask(port)).toContain('served');
  const waiting = net.connect(port, '127.0.0.1');
  await once(waiting, 'connect');
  const tooMany = ask(port);
  waiting.resetAndDestroy();
  expect(await tooMany).toBe('');
  await new Promise((resolve) => server.close(resolve));
});
