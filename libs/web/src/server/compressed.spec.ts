import { Readable } from 'node:stream';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import Fastify, { type FastifyInstance } from 'fastify';
import { compressed } from './compressed.js';

const ROWS = JSON.stringify({ items: Array.from({ length: 100 }, (_, row) => ({ row })) });
const CSV = 'row\n'.repeat(1_000);

let app: FastifyInstance;

beforeAll(async () => {
  app = Fastify();
  app.addHook('onSend', compressed);
  app.get('/list', (_, reply) =>
    reply.header('vary', 'Accept').type('application/json').send(ROWS),
  );
  app.get('/short', (_, reply) => reply.type('application/json').send('{"items":[]}'));
  app.get('/pdf', (_, reply) => reply.type('application/pdf').send(Buffer.from(ROWS)));
  app.get('/digest', (_, reply) =>
    reply.header('repr-digest', 'sha-256=:x:').type('application/json').send(ROWS),
  );
  app.get('/csv', (_, reply) => reply.type('text/csv; charset=utf-8').send(Readable.from([CSV])));
  app.get('/broken', (_, reply) => reply.type('text/csv').send(Readable.from(breaking())));
  await app.ready();
});
afterAll(() => app.close());

async function* breaking(): AsyncGenerator<string> {
  yield CSV;
  throw new Error('The database went away.');
}

function ask(url: string, coding: string) {
  return app.inject({ url, headers: { 'accept-encoding': coding } });
}

test.each([
  ['gzip', gunzipSync],
  ['br', brotliDecompressSync],
] as const)(
  'a list and a whole CSV are sent as %s where the client takes it',
  async (coding, open) => {
    for (const [url, text] of [
      ['/list', ROWS],
      ['/csv', CSV],
    ] as const) {
      const answer = await ask(url, coding);
      expect(answer.headers['content-encoding']).toBe(coding);
      expect(answer.headers.vary).toContain('Accept-Encoding');
      expect(open(answer.rawPayload).toString()).toBe(text);
      expect(answer.rawPayload.length).toBeLessThan(text.length / 3);
    }
  },
);

test.each(['/short', '/pdf', '/digest'])('%s stays as it is', async (url) => {
  const answer = await ask(url, 'gzip, br');
  expect(answer.headers['content-encoding']).toBeUndefined();
});

test.each(['', 'identity', 'zstd'])('a client that accepts "%s" gets it plain', async (coding) => {
  const answer = await ask('/list', coding);
  expect(answer.headers['content-encoding']).toBeUndefined();
  expect(answer.payload).toBe(ROWS);
});

test('rows that break off break the answer off, also where they are compressed', async () => {
  await expect(ask('/broken', 'gzip')).rejects.toThrow();
});
