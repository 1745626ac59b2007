import { once } from 'node:events';
import { connect } from 'node:net';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import type { Charging } from '#account/charging.js';
import { gracefulClose } from '#web/server/graceful-close.js';
import { bearer, createTestApi, type TestApi } from '../test-adapters/test-api.js';

const PATH = '/v1/latest/cat2/trends/top5/popindex/us/skincare';

let api: TestApi;
let port: number;
/** Called once a charge is asked for, which then waits for what it returns. */
let onCharge: () => Promise<unknown>;

function held(real: Charging): Charging {
  return {
    charge: async (request) => {
      await onCharge();
      return real.charge(request);
    },
    quote: (request) => real.quote(request),
  };
}

beforeAll(async () => {
  api = await createTestApi({ charging: held });
  await api.app.listen(0, '127.0.0.1');
  port = (api.app.getHttpServer().address() as AddressInfo).port;
});

afterAll(() => gracefulClose(api.app, 1_000));

test.each([1, 3])('%d calls of a client that sends no more are answered', async (count) => {
  const { authorization } = bearer(api.key(api.account()));
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const arrived = once(api.app.getHttpServer(), 'connection');
  const said = text(socket);
  const request = `GET ${PATH} HTTP/1.1\r\nhost: a\r\nauthorization: ${authorization}\r\n\r\n`;
  const server = arrived.then(([one]) => one as NodeJS.ReadableStream);
  onCharge = async () => {
    socket.end();
    if ((await server).readable) await once(await server, 'end');
  };
  socket.write(request.repeat(count));
  expect((await said).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(count);
});

test('a request that is cut off is refused, not waited for', async () => {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
  const said = text(socket);
  socket.end(`GET ${PATH} HTTP/1.1\r\nhost: a\r\n`);
  expect(await said).toMatch(/^HTTP\/1.1 400 /);
});
