import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { locateBinaries } from './binaries.js';
import { EmbeddedPostgres } from './embedded-postgres.js';
import { readPostmasterFile } from './postmaster.js';
import { chooseRunAs } from './run-as.js';
import { isAlive } from './process-facts.js';
import { watchServer } from './server-watch.js';

const PATIENCE_MS = 60_000;

let dataDir: string;
let postgres: EmbeddedPostgres;
const events: string[] = [];

beforeAll(async () => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'popindex-watched-'));
  postgres = await EmbeddedPostgres.start({
    dataDir,
    onEvent: ({ event }) => events.push(event),
  });
}, PATIENCE_MS);

afterAll(async () => {
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function connected(): Promise<Client> {
  const client = new Client({
    connectionString: postgres.serviceUrl,
    connectionTimeoutMillis: 1_000,
  });
  client.on('error', () => undefined);
  await client.connect();
  return client;
}

/** Resolves once another server than this one serves at the same address. */
async function isReplaced(pid: number): Promise<void> {
  for (const deadline = Date.now() + PATIENCE_MS; ; await delay(20)) {
    try {
      await (await connected()).end();
      const serving = readPostmasterFile(path.join(dataDir, 'postgres'))?.pid;
      if (postgres.pid !== pid && postgres.pid === serving) return;
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
    if (Date.now() > deadline) throw new Error(`Server ${pid} is not replaced.`);
  }
}

/** Runs PostgreSQL's own program, as the user to whom the server belongs. */
function pgCtl(...args: readonly string[]): ChildProcess {
  const cluster = path.join(dataDir, 'postgres');
  const runAs = chooseRunAs(dataDir, cluster);
  const [program, own] = runAs.command(locateBinaries().pgCtl, [...args, '-D', cluster]);
  return spawn(program, own, { ...runAs.ids, stdio: 'ignore' });
}

const ENDS: readonly [string, () => Promise<void> | true][] = [
  ['SIGTERM, which waits for those who are connected', () => process.kill(postgres.pid, 'SIGTERM')],
  ['SIGINT', () => process.kill(postgres.pid, 'SIGINT')],
  ['SIGQUIT', () => process.kill(postgres.pid, 'SIGQUIT')],
  ['SIGSTOP, so that it answers nobody', () => process.kill(postgres.pid, 'SIGSTOP')],
];

test.each(ENDS)(
  'a server that somebody sends %s is replaced at the same address',
  async (_signal, end) => {
    const { pid } = postgres;
    const user = await connected();
    await end();
    await isReplaced(pid);
    await user.end().catch(() => undefined);
  },
  PATIENCE_MS,
);

test.each([
  ['stop', '-m', 'smart'],
  ['stop', '-m', 'fast'],
  ['restart', '-m', 'fast'],
])(
  'a server that somebody ends by pg_ctl %s %s %s is replaced by one of this process',
  async (...args) => {
    const { pid } = postgres;
    const user = await connected();
    const byHand = pgCtl(...args);
    await isReplaced(pid);
    byHand.kill();
    await user.end().catch(() => undefined);
  },
  PATIENCE_MS,
);

test(
  'a server that waits for those who are connected is ended by a stop, and not replaced',
  async () => {
    const user = await connected();
    const { pid } = postgres;
    events.length = 0;
    process.kill(pid, 'SIGTERM');
    await postgres.stop();
    await user.end().catch(() => undefined);
    expect(isAlive(pid)).toBe(false);
    expect(existsSync(path.join(dataDir, 'owner.lock'))).toBe(false);
    expect(events).not.toContain('started');
  },
  PATIENCE_MS,
);

describe('of a server that runs', () => {
  const TIMINGS = { lookMs: 1, connectEveryMs: 1, answerMsMax: 50 };
  let server: Server;
  let answersLeft = Infinity;

  beforeAll(async () => {
    server = createServer((socket) => {
      socket.on('error', () => undefined);
      answersLeft -= 1;
      if (answersLeft >= 0) socket.write('N');
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(() => void server.close());

  function watched(members: object = {}) {
    const { port } = server.address() as AddressInfo;
    return { port, hasEnded: false, isStopping: false, ...members };
  }

  const never = new AbortController().signal;

  test('the watch reports that it does not answer, and not at the first time', async () => {
    answersLeft = 3;
    expect(await watchServer(watched(), never, TIMINGS)).toBe('it does not answer');
    expect(answersLeft).toBeLessThanOrEqual(-2);
  });

  test('the watch reports that it is shutting down, and nothing once it has ended', async () => {
    answersLeft = Infinity;
    const stopping = watched({ isStopping: true });
    expect(await watchServer(stopping, never, TIMINGS)).toBe('it is shutting down');
    const ended = watched({ isStopping: true, hasEnded: true });
    expect(await watchServer(ended, never, TIMINGS)).toBeUndefined();
    expect(await watchServer(stopping, AbortSignal.abort(), TIMINGS)).toBeUndefined();
  });
});
