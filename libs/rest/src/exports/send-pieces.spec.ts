import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fastify, type FastifyInstance } from 'fastify';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { sendPieces } from './send-pieces.js';

const FILE = { type: 'text/csv', name: 'invoices-2026-10.csv' };
const LARGE = 'x'.repeat(256 * 1_024);

let server: FastifyInstance;
afterEach(() => server.close());

/** Serves pieces; answers what somebody is sent who asks for them. */
async function asked(pieces: () => AsyncGenerator<string>): Promise<IncomingMessage> {
  server = fastify();
  server.get('/', async (request, reply) => {
    await sendPieces(request, reply, FILE, pieces());
    return reply;
  });
  await server.listen();
  const { port } = server.server.address() as AddressInfo;
  const [response] = (await once(get({ port }), 'response')) as [IncomingMessage];
  return response;
}

test('what breaks before the first rows are read is no file', async () => {
  const response = await asked(async function* () {
    yield 'header';
    throw new Error('The database went away.');
  });
  response.resume();
  expect(response.statusCode).toBe(500);
  expect(response.headers['content-disposition']).toBeUndefined();
});

test('what breaks later breaks the connection off, so that no part looks like the whole', async () => {
  const response = await asked(async function* () {
    yield 'header';
    yield LARGE;
    throw new Error('The database went away.');
  });
  expect(response.headers['content-disposition']).toBe(`attachment; filename="${FILE.name}"`);
  response.resume();
  await expect(once(response, 'end')).rejects.toThrow('aborted');
  expect(response.complete).toBe(false);
});

test('nothing more is made for somebody who has gone away', async () => {
  let made = 0;
  let hasEnded = false;
  const response = await asked(async function* () {
    try {
      for (; made < 10_000; made += 1) yield LARGE;
    } finally {
      hasEnded = true;
    }
  });
  response.destroy();
  await waitFor('the pieces are given up', () => hasEnded);
  expect(made).toBeLessThan(1_000);
});
