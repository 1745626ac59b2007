// Does what a neighbour does, from a process of its own, until it is stopped.
import { Agent, request, type IncomingMessage } from 'node:http';
import net from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { formatApiKey } from '#account/api-key.js';
import { ADMIN_TOKEN } from '../servers.js';
import type { NeighbourPlan, NeighbourResult } from './neighbour.js';

const ROTATIONS = 400;
const ROTATIONS_PER_SECOND = 80;
const QUOTES_AT_ONCE = 8;
const URLS = 1_000;
const READERS = 60;
/** A slow reader takes a piece and waits. */
const READ_PAUSE_MS = 100;
const DOCS_CONNECTIONS = 16;
const KEYS_CONNECTIONS = 16;
const KEYS_PER_SECOND = 8_000;
const TICK_MS = 10;
const STREAMS = 1_000;
/** After a refusal for its rate, a neighbour that does not read Retry-After asks again so soon. */
const AGAIN_MS = 50;

/** Strangers have another address than the customers, whose connections are counted apart then. */
const ELSEWHERE = process.platform === 'linux' ? { localAddress: '127.0.0.2' } : {};
const agent = new Agent({ keepAlive: true, maxSockets: Infinity });
const elsewhere = new Agent({ keepAlive: true, maxSockets: Infinity, ...ELSEWHERE });
const answers: Record<string, number> = {};
const opened = new Set<net.Socket>();
let isStopped = false;

interface NeighbourRequest {
  readonly method?: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly agent?: Agent;
}

function ask(
  url: string,
  { method = 'GET', headers, body, agent: through = agent }: NeighbourRequest,
): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    const asked = request(url, { method, headers, agent: through }, (answer) => {
      count(String(answer.statusCode));
      resolve(answer);
    });
    asked.on('error', reject);
    asked.end(body);
  });
}

function count(what: string, times = 1): void {
  answers[what] = (answers[what] ?? 0) + times;
}

async function drain(answer: IncomingMessage, pauseMs = 0): Promise<void> {
  for await (const piece of answer) {
    if (pauseMs > 0 && (piece as Buffer).length > 0) await delay(pauseMs);
    if (isStopped) answer.destroy();
  }
}

async function rotate(adminUrl: string, webhookId: string): Promise<void> {
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
  const url = `${adminUrl}/admin/v1/webhooks/${webhookId}/rotate`;
  const began = performance.now();
  for (let done = 0; done < ROTATIONS && !isStopped; done += 1) {
    const dueMs = began + (done * 1_000) / ROTATIONS_PER_SECOND - performance.now();
    if (dueMs > 0) await delay(dueMs);
    await drain(await ask(url, { method: 'POST', headers }));
  }
}

async function quote(url: string, apiKey: string): Promise<void> {
  const urls = Array.from({ length: URLS }, (_, index) => quotedPath(index));
  const body = JSON.stringify({ urls });
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    'content-length': String(Buffer.byteLength(body)),
  };
  while (!isStopped) {
    const answer = await ask(`${url}/v1/quotes`, { method: 'POST', headers, body });
    await drain(answer);
    if (answer.statusCode === 429) await delay(AGAIN_MS);
  }
}

function quotedPath(index: number): string {
  const regions = ['us', 'gb', 'fr', 'kr', 'jp'];
  const limits = ['top5', 'top100', 'all'];
  const kinds = ['cat1/trends', 'cat1/brands'];
  const region = regions[index % regions.length] ?? 'us';
  const limit = limits[Math.floor(index / regions.length) % limits.length] ?? 'all';
  const kind = kinds[index % kinds.length] ?? 'cat1/trends';
  return `/v1/latest/${kind}/${limit}/popindex/${region}/beauty`;
}

async function readSlowly(url: string, apiKey: string): Promise<void> {
  const headers = { authorization: `Bearer ${apiKey}`, accept: 'text/csv' };
  while (!isStopped) {
    const answer = await ask(`${url}/v1/account/calls`, { headers });
    await drain(answer, READ_PAUSE_MS);
    if (answer.statusCode === 429) await delay(AGAIN_MS);
  }
}

async function readDocs(url: string): Promise<void> {
  while (!isStopped) {
    try {
      await drain(await ask(`${url}/docs`, { headers: {}, agent: elsewhere }));
    } catch {
      // The service closes what is beyond its limits, and is asked again at once.
      count('closed');
    }
  }
}

/**
 * Raw requests, several in one write: otherwise making them would take more than refusing them. A
 * connection that the service has closed is opened again.
 */
async function tryKeys(url: string): Promise<void> {
  const sockets = Array.from({ length: KEYS_CONNECTIONS }, () => connect(url));
  const began = performance.now();
  let sent = 0;
  while (!isStopped) {
    const due = ((performance.now() - began) * KEYS_PER_SECOND) / 1_000;
    const each = Math.floor((due - sent) / sockets.length);
    for (const [index, socket] of sockets.entries()) {
      if (socket.destroyed) sockets[index] = connect(url);
      // One that has not read what it was sent is sent no more: the service is asked as fast as it
      // answers.
      else if (socket.writable && !socket.connecting && socket.writableLength === 0) {
        socket.write(invalidRequests(sent, each), 'latin1');
        count('sent', each);
      }
      sent += each;
    }
    await delay(TICK_MS);
  }
}

function connect(url: string): net.Socket {
  const { hostname, port } = new URL(url);
  const socket = net.connect({ host: hostname, port: Number(port), noDelay: true, ...ELSEWHERE });
  socket.setEncoding('latin1');
  socket.on('data', (text: string) => {
    for (const [, status] of text.matchAll(/HTTP\/1\.1 (\d+)/g)) count(status ?? '');
  });
  socket.on('error', () => undefined);
  socket.once('close', () => {
    count('closed');
    opened.delete(socket);
  });
  opened.add(socket);
  return socket;
}

/** Every second one has the right form. */
function invalidRequests(from: number, times: number): string {
  let text = '';
  for (let index = from; index < from + times; index += 1) {
    const key = formatApiKey('pix_live_', String(index).padStart(30, 'n'));
    const sent = index % 2 === 0 ? key : `${key.slice(0, -1)}-`;
    text += `GET /v1/account HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${sent}\r\n\r\n`;
  }
  return text;
}

async function listen(url: string, cookies: readonly string[]): Promise<void> {
  const headers = { accept: 'text/event-stream' };
  for (let index = 0; index < STREAMS; index += 1) {
    const cookie = cookies[index % cookies.length] ?? '';
    const answer = await ask(`${url}/portal/v1/events`, { headers: { ...headers, cookie } });
    answer.on('error', () => undefined).resume();
  }
}

/** Begins the work; resolves when it is under way. */
async function begin(plan: NeighbourPlan): Promise<void> {
  const { kind } = plan;
  if (kind === 'streams') return listen(plan.url, plan.cookies);
  const works =
    kind === 'rotations'
      ? [rotate(plan.adminUrl, plan.webhookId)]
      : kind === 'docs'
        ? Array.from({ length: DOCS_CONNECTIONS }, () => readDocs(plan.url))
        : kind === 'keys'
          ? [tryKeys(plan.url)]
          : kind === 'quotes'
            ? Array.from({ length: QUOTES_AT_ONCE }, (_, index) =>
                quote(plan.url, keyOf(plan, index)),
              )
            : Array.from({ length: READERS }, (_, index) =>
                readSlowly(plan.url, keyOf(plan, index)),
              );
  // What breaks off when all of it ends is no failure.
  for (const work of works) work.catch((error: unknown) => isStopped || fail(error));
}

function keyOf({ apiKeys }: { readonly apiKeys: readonly string[] }, index: number): string {
  return apiKeys[index % apiKeys.length] ?? '';
}

function fail(error: unknown): void {
  process.stderr.write(`A neighbour failed: ${String(error)}\n`);
  process.exit(1);
}

process.on('message', (message: NeighbourPlan | 'stop') => {
  if (message === 'stop') {
    isStopped = true;
    const { user, system } = process.cpuUsage();
    process.send?.({ answers, cpu: (user + system) / 1e6 } satisfies NeighbourResult);
    agent.destroy();
    elsewhere.destroy();
    for (const socket of opened) socket.destroy();
    return;
  }
  begin(message).then(() => process.send?.('at work'), fail);
});
process.on('disconnect', () => process.exit(0));
