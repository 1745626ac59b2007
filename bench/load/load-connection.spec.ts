import { once } from 'node:events';
import net from 'node:net';
import fc from 'fast-check';
import { LoadConnection, type LoadAnswer } from './load-connection.js';

let server: net.Server;
let url: URL;
/** Takes the other end of the connection that comes next. */
let accept: (socket: net.Socket) => void;

beforeAll(async () => {
  server = net.createServer((socket) => accept(socket)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${(server.address() as net.AddressInfo).port}`);
});

afterAll(() => server.close());

interface Sent extends LoadAnswer {
  readonly body: string;
}

function textOf({ status, isBase, body }: Sent): string {
  const kind = `Credits-Kind: ${isBase ? 'base' : 'repeat'}`;
  return `HTTP/1.1 ${status} Reason\r
Content-Length: ${body.length}\r\n${kind}\r\n\r\n${body}`;
}

/** A connection, its other end, and what it has heard. */
async function connected() {
  const heard: LoadAnswer[] = [];
  let onHeard = (): void => undefined;
  let onLost: (error: Error) => void = () => undefined;
  const lost = new Promise<Error>((resolve) => (onLost = resolve));
  const accepted = new Promise<net.Socket>((resolve) => (accept = resolve));
  const onAnswer = (answer: LoadAnswer): void => {
    heard.push(answer);
    onHeard();
  };
  const connection = await LoadConnection.open(url, onAnswer, onLost);
  const hears = (count: number): Promise<void> =>
    new Promise((resolve) => {
      onHeard = () => (heard.length >= count ? resolve() : undefined);
      onHeard();
    });
  return { connection, socket: await accepted, heard, hears, lost };
}

const ANSWERS = fc.array(
  fc.record({
    status: fc.constantFrom(200, 304, 402, 503),
    isBase: fc.boolean(),
    body: fc.string({
      unit: fc.constantFrom('{', '"', '\r\n\r\n', 'x'.repeat(999)),
      maxLength: 90,
    }),
  }),
  { minLength: 1, maxLength: 5 },
);

test('answers are the same into whatever pieces the network cuts them', async () => {
  await fc.assert(
    fc.asyncProperty(ANSWERS, fc.array(fc.integer({ min: 1, max: 400 })), async (sent, cuts) => {
      const { connection, socket, heard, hears } = await connected();
      socket.setNoDelay(true);
      let text = sent.map(textOf).join('');
      for (const cut of cuts) {
        await new Promise((resolve) => socket.write(text.slice(0, cut), resolve));
        text = text.slice(cut);
      }
      socket.write(text);
      await hears(sent.length);
      connection.close();
      socket.destroy();
      expect(heard).toEqual(sent.map(({ status, isBase }) => ({ status, isBase })));
    }),
    { numRuns: 50 },
  );
});

test('a connection that the server closes is reported', async () => {
  const { socket, lost } = await connected();
  socket.end();
  expect(await lost).toEqual(new Error('The server closed a connection.'));
});

test('an answer without a length is reported', async () => {
  const { socket, lost } = await connected();
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n');
  expect((await lost).message).toContain('has no length');
  socket.destroy();
});
