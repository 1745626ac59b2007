import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync } from 'node:fs';
import { cp } from 'node:fs/promises';
import { readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { EmbeddedPostgres, type EmbeddedPostgresEvent } from './embedded-postgres.js';
import { stopOrphan } from './postmaster.js';
import { isAlive } from './process-facts.js';
import { runningDatabase } from './state-file.js';

/** A folder after its first start and stop: making a cluster is most of a test's time. */
let template: string;
let dataDir: string;
const running: EmbeddedPostgres[] = [];
const children: ChildProcess[] = [];

beforeAll(async () => {
  template = mkdtempSync(path.join(tmpdir(), 'popindex-embedded-'));
  await (await EmbeddedPostgres.start({ dataDir: template })).stop();
});

afterAll(() => rmSync(template, { recursive: true, force: true }));

beforeEach(() => {
  dataDir = mkdtempSync(path.join(tmpdir(), 'popindex-embedded-'));
});

afterEach(async () => {
  await Promise.all(running.splice(0).map((postgres) => postgres.stop()));
  for (const child of children.splice(0)) child.kill('SIGKILL');
  await stopOrphan(path.join(dataDir, 'postgres'));
  rmSync(dataDir, { recursive: true, force: true });
});

async function start(onEvent?: (event: EmbeddedPostgresEvent) => void) {
  const postgres = await EmbeddedPostgres.start({ dataDir, ...(onEvent && { onEvent }) });
  running.push(postgres);
  return postgres;
}

async function query(url: string, text: string): Promise<unknown[][]> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  try {
    return (await client.query<unknown[]>({ text, rowMode: 'array' })).rows;
  } finally {
    await client.end();
  }
}

async function eventually<T>(attempt: () => Promise<T>): Promise<T> {
  for (const deadline = Date.now() + 20_000; ; await delay(20)) {
    try {
      return await attempt();
    } catch (error) {
      if (Date.now() > deadline) throw error;
    }
  }
}

/** Another Node process that owns the folder; resolves when its database serves. */
async function startOwner(): Promise<{ child: ChildProcess; url: string; postmaster: number }> {
  const modules = process.env['TEST_MODULES'];
  const script = `
    const { EmbeddedPostgres } = await import('${modules}embedded-postgres/embedded-postgres.js');
    const postgres = await EmbeddedPostgres.start({ dataDir: ${JSON.stringify(dataDir)} });
    process.stdout.write(JSON.stringify({ url: postgres.url, postmaster: postgres.pid }));`;
  const args = ['--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
  return { child, ...(JSON.parse(chunk.toString()) as { url: string; postmaster: number }) };
}

async function startedBefore(): Promise<void> {
  await cp(template, dataDir, { recursive: true, preserveTimestamps: true });
}

function log(): string {
  return readFileSync(path.join(dataDir, 'postgres.log'), 'utf8');
}

describe('the first and the second start', () => {
  it('keeps the data, durably, and leaves the folder free after each stop', async () => {
    const first = await start();
    await query(first.url, 'create table kept as select 1 as n');
    expect(
      await query(
        first.url,
        `select name || '=' || setting from pg_settings where name in
         ('fsync', 'synchronous_commit', 'listen_addresses', 'server_encoding', 'TimeZone') order by 1`,
      ),
    ).toEqual([
      ['TimeZone=UTC'],
      ['fsync=on'],
      ['listen_addresses=127.0.0.1'],
      ['server_encoding=UTF8'],
      ['synchronous_commit=on'],
    ]);
    await first.stop();
    expect(isAlive(first.pid)).toBe(false);
    expect(log()).toMatch(/database system is shut down\n$/);
    expect(readdirSync(dataDir).toSorted()).toEqual([
      'postgres',
      'postgres-password',
      'postgres.log',
    ]);

    const second = await start();
    expect(await query(second.url, 'select n from kept')).toEqual([[1]]);
    expect(log()).not.toContain('was not properly shut down');
  });

  it('closes its secrets to others and its door to those without the password', async () => {
    await startedBefore();
    const postgres = await start();
    for (const name of ['postgres-password', 'postgres.json', 'owner.lock', 'postgres.log']) {
      expect([name, statSync(path.join(dataDir, name)).mode & 0o077]).toEqual([name, 0]);
    }
    const wrong = new URL(postgres.url);
    wrong.password = 'guessed';
    await expect(query(wrong.href, 'select 1')).rejects.toMatchObject({ code: '28P01' });
  });

  it('publishes its address to other processes for as long as it lives', async () => {
    await startedBefore();
    expect(runningDatabase(dataDir)).toBeUndefined();
    const postgres = await start();
    expect(runningDatabase(dataDir)).toEqual({
      url: postgres.serviceUrl,
      migrationUrl: postgres.url,
      folder: dataDir,
    });
    await postgres.stop();
    expect(runningDatabase(dataDir)).toBeUndefined();
  });

  it('starts from scratch after a first start that was killed while it made the cluster', async () => {
    const half = path.join(dataDir, 'postgres.new');
    mkdirSync(half);
    writeFileSync(path.join(half, 'PG_VERSION'), '18\n');
    const postgres = await start();
    expect(await query(postgres.url, 'select 1')).toEqual([[1]]);
    expect(existsSync(half)).toBe(false);
  });

  it('refuses the data of another major version by name', async () => {
    mkdirSync(path.join(dataDir, 'postgres'));
    writeFileSync(path.join(dataDir, 'postgres', 'PG_VERSION'), '17\n');
    await expect(start()).rejects.toThrow(/was made by PostgreSQL 17, and this program brings 18/);
  });
});

describe('one owner at a time', () => {
  beforeEach(startedBefore);

  it('refuses a folder that this process already serves, and frees nothing by that', async () => {
    const postgres = await start();
    await expect(start()).rejects.toThrow(
      `DATA_DIR: ${dataDir} is in use by process ${process.pid}`,
    );
    expect(await query(postgres.url, 'select 1')).toEqual([[1]]);
  });

  it('refuses a folder of another living process and names it', async () => {
    const { child } = await startOwner();
    await expect(start()).rejects.toThrow(`is in use by process ${child.pid};`);
  });

  it('takes over the lock of a process whose id somebody else has now', async () => {
    writeFileSync(
      path.join(dataDir, 'owner.lock'),
      JSON.stringify({ pid: process.pid, started: 'another moment' }),
    );
    const postgres = await start();
    expect(await query(postgres.url, 'select 1')).toEqual([[1]]);
  });

  it('lets one of several win who find the same stale lock', async () => {
    writeFileSync(path.join(dataDir, 'owner.lock'), JSON.stringify({ pid: 1, started: 'gone' }));
    const starts = await Promise.allSettled([start(), start(), start()]);
    expect(starts.map(({ status }) => status).toSorted()).toEqual([
      'fulfilled',
      'rejected',
      'rejected',
    ]);
  });
});

describe('after kill -9', () => {
  beforeEach(startedBefore);

  it('of the owner: the next start ends the orphan and finds every commit', async () => {
    const owner = await startOwner();
    await query(owner.url, 'create table kept as select 7 as n');
    owner.child.kill('SIGKILL');
    await once(owner.child, 'exit');
    expect(isAlive(owner.postmaster)).toBe(true);

    const events: EmbeddedPostgresEvent[] = [];
    const postgres = await start((event) => events.push(event));
    expect(events[0]).toEqual({ event: 'orphan-stopped', pid: owner.postmaster });
    expect(isAlive(owner.postmaster)).toBe(false);
    expect(await query(postgres.url, 'select n from kept')).toEqual([[7]]);
  });

  it('of owner and postmaster together: the next start recovers', async () => {
    const owner = await startOwner();
    await query(owner.url, 'create table kept as select 8 as n');
    owner.child.kill('SIGKILL');
    process.kill(owner.postmaster, 'SIGKILL');
    await once(owner.child, 'exit');

    const postgres = await start();
    expect(await query(postgres.url, 'select n from kept')).toEqual([[8]]);
  });

  it('of the postmaster: it comes back under the living owner at the same address', async () => {
    const events: string[] = [];
    const postgres = await start(({ event }) => events.push(event));
    await query(postgres.url, 'create table kept as select 9 as n');
    const busy = query(postgres.url, 'select pg_sleep(60)').catch(() => 'cut');
    const killed = postgres.pid;
    process.kill(killed, 'SIGKILL');
    expect(await busy).toBe('cut');

    expect(await eventually(() => query(postgres.url, 'select n from kept'))).toEqual([[9]]);
    // It serves a moment before the owner has seen that it is ready.
    await eventually(async () => expect(postgres.pid).not.toBe(killed));
    expect(events.filter((event) => event !== 'restart-failed')).toEqual([
      'started',
      'ended',
      'started',
    ]);
  });

  it('of the postmaster: a stop in the middle of its return ends it for good', async () => {
    const postgres = await start();
    process.kill(postgres.pid, 'SIGKILL');
    await eventually(async () => {
      if (isAlive(postgres.pid)) throw new Error('still there');
    });
    await postgres.stop();
    expect(isAlive(postgres.pid)).toBe(false);
    expect(existsSync(path.join(dataDir, 'owner.lock'))).toBe(false);
  });

  it('never signals a stranger who has the process id of a killed postmaster', async () => {
    const first = await start();
    await first.stop();
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    children.push(stranger);
    const file = path.join(dataDir, 'postgres', 'postmaster.pid');
    const { uid, gid } = statSync(path.join(dataDir, 'postgres'));
    writeFileSync(file, `${stranger.pid}\n${path.dirname(file)}\n1\n5432\n\n127.0.0.1\n\nready\n`);
    chmodSync(file, 0o600);
    chownSync(file, uid, gid);

    const second = await start();
    expect(await query(second.url, 'select 1')).toEqual([[1]]);
    expect(isAlive(stranger.pid ?? 0)).toBe(true);
  });
});

const asRoot = process.getuid?.() === 0 ? it : it.skip;

asRoot('as root it serves from a folder of an unprivileged user as well', async () => {
  const cluster = path.join(dataDir, 'postgres');
  mkdirSync(cluster);
  chownSync(cluster, 65_534, 65_534);
  const postgres = await start();
  expect(statSync(path.join(cluster, 'PG_VERSION')).uid).toBe(65_534);
  expect(await query(postgres.url, 'select 1')).toEqual([[1]]);
  await postgres.stop();
  const again = await start();
  expect(await query(again.url, 'select 1')).toEqual([[1]]);
});
