import { once } from 'node:events';
import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { KEEP_ALIVE_MS, sendAnswer } from './send-answer.js';

const LINES = 'Call-Id: 1\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n';
const BODY = Buffer.from('words');

let server: Server;
let answer: (response: ServerResponse) => void;
beforeEach(async () => {
  const options = { keepAliveTimeout: KEEP_ALIVE_MS };
  server = createServer(options, (_request, response) => answer(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterEach(() => server.close());

/** All that comes back on a connection, without the date, for requests that are sent at once. */
async function heard(...requests: string[]): Promise<string> {
  const { port } = server.address() as AddressInfo;
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (part: string) => (text += part));
  socket.write(requests.join(''));
  await once(socket, 'close');
  return text.replaceAll(/Date: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/g, 'Date\r\n');
}

const GET = 'GET / HTTP/1.1\r\nHost: x\r\n\r\n';
const LAST = 'GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n';
const OLD = 'GET / HTTP/1.0\r\n\r\n';
const OLD_KEPT = 'GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n';

function asNode(response: ServerResponse, status: number): void {
  const list = ['Call-Id', '1', 'Content-Type', 'text/plain', 'Content-Length', '5'];
  response.writeHead(status, list).end(BODY);
}

it.each([
  ['of a connection that goes on', [GET, GET, LAST]],
  ['that is the last of its connection', [LAST]],
  ['to HTTP/1.0', [OLD]],
  ['to HTTP/1.0 that asks to go on', [OLD_KEPT, OLD]],
])('an answer %s has the same bytes as by writeHead', async (_which, requests) => {
  answer = (response) => asNode(response, 402);
  const expected = await heard(...requests);
  expect(expected.split('words')).toHaveLength(requests.length + 1);
  answer = (response) => sendAnswer(response, 402, LINES, BODY);
  expect(await heard(...requests)).toBe(expected);
});

it('headers that were set before are sent, and end the connection where they say so', async () => {
  answer = (response) => {
    response.setHeader('connection', 'close');
    sendAnswer(response, 200, LINES, BODY);
  };
  const text = await heard(GET, GET);
  expect(text).toContain('connection: close');
  expect(text.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(1);
});

it('an answer without a body has no head of its own', async () => {
  answer = (response) => sendAnswer(response, 304, 'ETag: "1"\r\n');
  expect(await heard(GET, LAST)).toMatch(/^HTTP\/1\.1 304 Not Modified\r\nETag: "1"\r\nDate\r\n/);
});

it('shows what was answered, as to those who count', async () => {
  const seen: unknown[] = [];
  answer = (response) => {
    response.on('close', () => seen.push([response.statusCode, response.writableFinished]));
    sendAnswer(response, 201, LINES, BODY);
    seen.push(response.headersSent);
  };
  await heard(LAST);
  expect(seen).toEqual([true, [201, true]]);
});
