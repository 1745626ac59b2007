import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import net from 'node:net';
import fc from 'fast-check';
import { readHeadByHead } from './head-by-head.js';

type Handler = (request: IncomingMessage, response: ServerResponse) => void;

let server: Server;

async function listen(handler: Handler, isOver: () => boolean): Promise<number> {
  server = createServer(handler);
  server.on('connection', (socket: net.Socket) => readHeadByHead(socket, isOver));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as net.AddressInfo).port;
}

afterEach(() => server?.closeAllConnections());
afterEach(() => server?.close());

/** Sends pieces one after another and reads until the other side closes. */
async function exchange(port: number, pieces: readonly string[]): Promise<string> {
  const socket = net.connect(port, '127.0.0.1').setEncoding('latin1').setNoDelay(true);
  let heard = '';
  socket.on('data', (text: string) => (heard += text));
  const closed = once(socket, 'close');
  for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
  await closed;
  return heard;
}

function post(body: string, more = ''): string {
  return `POST / HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n${more}\r\n${body}`;
}

/** Answers each body with itself. */
function echo(request: IncomingMessage, response: ServerResponse): void {
  let body = '';
  request.on('data', (bytes: Buffer) => (body += bytes.toString()));
  request.on('end', () => response.end(`<${body}>`));
}

const BODIES = fc.array(
  fc.string({ unit: fc.constantFrom('a', '\r\n\r\n', 'y'.repeat(700)), maxLength: 8 }),
  { minLength: 1, maxLength: 6 },
);

test('requests are the same into whatever pieces the network cuts them', async () => {
  const port = await listen(echo, () => false);
  await fc.assert(
    fc.asyncProperty(BODIES, fc.array(fc.integer({ min: 1, max: 400 })), async (bodies, cuts) => {
      const last = bodies.length - 1;
      let text = bodies
        .map((body, index) => post(body, index === last ? 'Connection: close\r\n' : ''))
        .join('');
      const pieces: string[] = [];
      for (const cut of cuts) {
        pieces.push(text.slice(0, cut));
        text = text.slice(cut);
      }
      const heard = await exchange(
        port,
        [...pieces, text].filter((piece) => piece !== ''),
      );
      expect(heard.match(/<[^>]*>/g)).toEqual(bodies.map((body) => `<${body}>`));
    }),
    { numRuns: 40 },
  );
});

test('nothing is read as a request behind the one that is the last', async () => {
  let seen = 0;
  const handler: Handler = (_, response) => {
    seen += 1;
    response.shouldKeepAlive = false;
    response.end('last');
  };
  const port = await listen(handler, () => seen > 0);
  expect(await exchange(port, [post('').repeat(500)])).toMatch(/last$/);
  expect(seen).toBe(1);
});

test('requests wait while the answers before them are not sent, and none is lost', async () => {
  const answer = 'z'.repeat(50_000);
  // The first answer is held until Node reads no further.
  let first: ServerResponse | undefined;
  const handler: Handler = ({ socket }, response) => {
    if (first !== undefined) response.end(answer);
    else first = response;
    if (socket.isPaused() && !first.writableEnded) first.end(answer);
  };
  const port = await listen(handler, () => false);
  const text = post('').repeat(99) + post('', 'Connection: close\r\n');
  const heard = await exchange(port, [text]);
  expect(heard.split(answer)).toHaveLength(101);
});
