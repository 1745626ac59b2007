import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { fastify, type FastifyInstance } from 'fastify';
import { waitFor } from '../../../test/setup/wait-for.js';
import { ProblemException, statusOf } from './problem.js';
import { readsFor, takePlace, WHOLE_LISTS_MAX } from './whole-lists.js';

const STALLED_MS = 300;
const PIECE = 'x'.repeat(256 * 1_024);

let server: FastifyInstance;
let port: number;
let ended = 0;
beforeAll(async () => {
  server = fastify({ forceCloseConnections: true });
  server.setErrorHandler((error, _request, reply) => {
    if (!(error instanceof ProblemException)) throw error;
    return reply.code(statusOf(error.problem)).headers(error.problem.headers).send('refused');
  });
  server.get<{ Querystring: { account: string } }>('/', async (request, reply) => {
    readsFor(request, request.query.account);
    takePlace(request, reply, STALLED_MS);
    reply.raw.once('close', () => (ended += 1));
    return reply.send(Readable.from(endless()));
  });
  await server.listen();
  port = (server.server.address() as AddressInfo).port;
});
afterAll(() => server.close());

function* endless(): Generator<string> {
  for (;;) yield PIECE;
}

async function read(account: string): Promise<IncomingMessage> {
  const asked = get({ port, path: `/?account=${account}`, agent: false });
  const [answer] = (await once(asked, 'response')) as [IncomingMessage];
  answer.on('error', () => undefined);
  return answer;
}

test('an account reads ten whole lists at a time, and another its own', async () => {
  const reading = Array.from({ length: WHOLE_LISTS_MAX }, () => read('one'));
  const answers = await Promise.all(reading);
  for (const answer of answers) answer.resume();
  const refused = await read('one');
  expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '10']);
  refused.resume();
  const other = await read('other');
  expect(other.statusCode).toBe(200);
  for (const answer of [...answers, other]) answer.destroy();
  await waitFor('there is a place again', async () => {
    const again = await read('one');
    again.destroy();
    return again.statusCode === 200;
  });
});

test('a reader that takes nothing is let go, and one that reads on is not', async () => {
  await waitFor('all are gone', async () => ended > 0);
  ended = 0;
  const reader = await read('reader');
  let bytes = 0;
  reader.on('data', (piece: Buffer) => (bytes += piece.length));
  const stalled = await read('stalled');
  stalled.pause();
  await waitFor('the stalled one is let go', () => ended === 1);
  const before = bytes;
  await waitFor('the other reads on', () => bytes > before);
  expect([stalled.complete, reader.destroyed]).toEqual([false, false]);
  reader.destroy();
});
