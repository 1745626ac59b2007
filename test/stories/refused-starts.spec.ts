import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import path from 'node:path';
import pg from 'pg';
import { openDatabase } from '#database/database.js';
import { MIGRATIONS_TABLE } from '#database/data-source.js';
import { CALLS_ARCHIVED, CALLS_BROUGHT_BACK } from '#event-log/archive-events.js';
import { NOTHING } from '#event-log/fold.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { DataFolder } from '../setup/data-folder.js';
import { Program, type Environment } from '../setup/program.js';
import { ADMIN_TOKEN } from '../setup/service.js';
import { freePorts, StartedService } from '../setup/started-service.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';

let data: DataFolder;
let database: TestDatabase;

beforeAll(async () => {
  await Program.build();
  data = await DataFolder.make();
  database = await createTestDatabase();
}, 120_000);

afterAll(async () => {
  await database.drop();
  await data.remove();
});

/** A start on the given database; other settings are right. */
async function startOn(url: string, env: Environment = {}): Promise<Program> {
  const settings = { DATABASE_URL: url, ADMIN_TOKEN, DATA_DIR: data.path, ...(await freePorts()) };
  return Program.start({ ...settings, ...env });
}

/** The lines a start was refused with; it must have ended with 1, and printed nothing else. */
async function refusal(program: Program): Promise<string[]> {
  const code = await program.ended;
  expect([code, program.stdout]).toEqual([1, '']);
  expect(program.stderr).not.toContain(ADMIN_TOKEN);
  return program.stderr.trimEnd().split('\n');
}

async function execute(url: string, sql: string, values: readonly unknown[] = []): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  await client.query(sql, [...values]);
  await client.end();
}

const WRONG = [
  'ADMIN_TOKEN',
  'API_PORT',
  'BILLING_TIME_ZONE',
  'DATABASE_URL',
  'DEMO',
  'LOG_LEVEL',
  'PORTAL_PORT',
];

describe('settings', () => {
  it('that are wrong are reported all at once, a line each, and secrets are not repeated', async () => {
    const program = await startOn('mysql://pix:opensesame@127.0.0.1/popindex', {
      API_PORT: '70000',
      PORTAL_PORT: 'web',
      BILLING_TIME_ZONE: 'Middle-earth/Shire',
      ADMIN_TOKEN: 'too-short-to-be-a-token',
      DEMO: 'maybe',
      LOG_LEVEL: 'loud',
    });
    const lines = await refusal(program);
    expect(lines).toHaveLength(WRONG.length);
    for (const name of WRONG)
      expect(lines).toContainEqual(expect.stringMatching(`^${name}: takes `));
    expect(program.stderr).not.toMatch(/opensesame|too-short-to-be-a-token/);
  });

  it('that are missing are named: with DATABASE_URL an ADMIN_TOKEN is required', async () => {
    const lines = await refusal(await startOn(database.url, { ADMIN_TOKEN: '' }));
    expect(lines).toEqual([expect.stringMatching(/^ADMIN_TOKEN: takes .*required with DATABASE_/)]);
  });

  it('must not give two servers the same port', async () => {
    const lines = await refusal(await startOn(database.url, { API_PORT: '1', PORTAL_PORT: '1' }));
    expect(lines).toEqual([expect.stringMatching(/^PORTAL_PORT: takes a port of its own/)]);
  });
});

describe('a port in use', () => {
  let server: Server;
  let port: string;

  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    port = String((server.address() as AddressInfo).port);
  });

  afterAll(() => server.close());

  it.each(['API_PORT', 'ACCOUNTING_PORT', 'PORTAL_PORT'])(
    'is reported by its variable: %s',
    async (variable) => {
      const lines = await refusal(await startOn(database.url, { [variable]: port }));
      expect(lines).toEqual([expect.stringContaining(`${variable}: port ${port} of 127.0.0.1 is`)]);
    },
  );

  it('ends the embedded database that the start had begun', async () => {
    const own = await DataFolder.make();
    const settings = { ...(await freePorts()), DATA_DIR: own.path, DEMO: 'false', API_PORT: port };
    const program = Program.start(settings);
    const lines = await refusal(program);
    expect(lines).toEqual([expect.stringMatching(/^API_PORT: .* in use by another program/)]);
    expect(own.postmaster).toBeUndefined();
    await own.remove();
  });
});

describe('DATA_DIR', () => {
  it('has one owner at a time, and the owner is not disturbed', async () => {
    const shared = await DataFolder.make();
    const service = await StartedService.start(shared, { DEMO: 'false' });
    try {
      const settings = { ...(await freePorts()), DATA_DIR: shared.path };
      const lines = await refusal(Program.start(settings));
      const owner = `DATA_DIR: ${shared.path} is in use by process ${service.program.pid}`;
      expect(lines).toEqual([expect.stringContaining(owner)]);
      expect((await service.admin('/accounts')).status).toBe(200);
      expect(shared.postmaster).toBeDefined();
    } finally {
      await service.program.stop();
      await shared.remove();
    }
  });

  it('must be a folder that can be made', async () => {
    await mkdir(data.path, { recursive: true });
    const file = path.join(data.path, 'a-file');
    await writeFile(file, '');
    const settings = { ...(await freePorts()), DATA_DIR: path.join(file, 'data') };
    const lines = await refusal(Program.start(settings));
    expect(lines).toEqual([expect.stringMatching(/^DATA_DIR: /)]);
    const [line, ...below] = await refusal(Program.start({ ...settings, DATA_DIR: file }));
    expect([line, below]).toEqual([`DATA_DIR: ${file} is a file; it takes a folder`, []]);
  });
});

describe('a database', () => {
  function withPassword(password: string): string {
    const url = new URL(database.url);
    url.password = password;
    return url.href;
  }

  it('that nobody serves is reported', async () => {
    const { API_PORT: closed = '' } = await freePorts();
    const lines = await refusal(await startOn(`postgresql://pix:sesame@127.0.0.1:${closed}/pix`));
    const line = `DATABASE_URL: the database at 127.0.0.1:${closed}/pix does not answer`;
    expect(lines).toEqual([expect.stringContaining(line)]);
  });

  it('that takes the connection and says nothing is reported within seconds', async () => {
    const sockets: Socket[] = [];
    const silent = createServer((socket) => sockets.push(socket)).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    try {
      const lines = await refusal(await startOn(`postgresql://pix:sesame@127.0.0.1:${port}/pix`));
      expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .* does not answer/)]);
    } finally {
      for (const socket of sockets) socket.destroy();
      silent.close();
    }
  });

  it('that refuses the password is reported, and the password is not', async () => {
    const lines = await refusal(await startOn(withPassword('opensesame')));
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .* refuses the user name or/)]);
    expect(lines[0]).not.toContain('opensesame');
  });

  it('that does not exist is reported', async () => {
    const url = new URL(database.url);
    url.pathname = '/nowhere';
    const lines = await refusal(await startOn(url.href));
    expect(lines).toEqual([expect.stringMatching(/^DATABASE_URL: .* does not exist: create it/)]);
  });

  it('that a newer version has migrated is left as it is', async () => {
    const newer = await createTestDatabase();
    await execute(newer.url, `insert into ${MIGRATIONS_TABLE} (timestamp, name) values ($1, $2)`, [
      9_999_999_999_999,
      'Newer9999999999999',
    ]);
    const lines = await refusal(await startOn(newer.url));
    const line =
      /^DATABASE_URL: the database at \S+ was migrated by a newer version \(Newer9999999999999\)/;
    expect(lines).toEqual([expect.stringMatching(line)]);
    await newer.drop();
  });
});

describe('a log of which an earlier version archived calls', () => {
  it('is refused in one line, and served once they are back', async () => {
    const own = await createTestDatabase();
    const pool = openDatabase({ url: own.url, applicationName: 'archives' });
    const system = new SystemStream(new PostgresEventLog(pool));
    const append = (type: string, data: object) =>
      system.append(NOTHING, () => ({ callId: randomUUID(), type, at: Date.now(), data }));
    await append(CALLS_ARCHIVED, { archive: 1, before: '2026-05', calls: 7, files: [] });
    await append(CALLS_BROUGHT_BACK, { archive: 1 });
    await append(CALLS_ARCHIVED, { archive: 2, before: '2026-06', calls: 9, files: [] });
    const lines = await refusal(await startOn(own.url));
    const line =
      /^Calls of this log are archived \(archive 2\).*bring-back all` of commit [0-9a-f]{8}/;
    expect(lines).toEqual([expect.stringMatching(line)]);

    await append(CALLS_BROUGHT_BACK, { archive: 2 });
    await pool.end();
    const program = await startOn(own.url, { DEMO: 'false' });
    try {
      await program.ready();
    } finally {
      expect(await program.stop()).toBe(0);
    }
    await own.drop();
  }, 60_000);
});

describe('with DATABASE_URL', () => {
  it('a start shows no secret, and the billing zone of the first start stays', async () => {
    const own = await createTestDatabase();
    const settings = { DEMO: 'true', LOG_LEVEL: 'debug', BILLING_TIME_ZONE: 'Europe/Berlin' };
    const program = await startOn(own.url, settings);
    try {
      await program.ready();
    } finally {
      expect(await program.stop()).toBe(0);
    }
    const printed = program.stdout + program.stderr;
    const secrets = [ADMIN_TOKEN, data.text('demo-api-key'), new URL(own.url).password];
    expect(secrets.filter((secret) => secret !== '' && printed.includes(secret))).toEqual([]);

    const lines = await refusal(await startOn(own.url, { BILLING_TIME_ZONE: 'UTC' }));
    expect(lines).toEqual([expect.stringMatching(/^BILLING_TIME_ZONE: takes Europe\/Berlin/)]);
    await own.drop();
  }, 60_000);
});
