import { createServer } from 'node:net';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Client } from 'pg';
import {
  databaseName,
  StartupError,
  listenOn,
  startupLines,
  withAnsweringDatabase,
} from './startup-error.js';

async function listening(port: number) {
  const server = createServer();
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return server;
}

async function connectTo(url: string): Promise<void> {
  const client = new Client({ connectionString: url });
  client.on('error', () => undefined);
  await client.connect();
  await client.end();
}

test('a port in use is reported with the variable that changes it', async () => {
  const server = await listening(0);
  const { port } = server.address() as AddressInfo;
  await expect(listenOn('API_PORT', '127.0.0.1', port, () => listening(port))).rejects.toThrow(
    `API_PORT: port ${port} of 127.0.0.1 is in use by another program; set it to a free port`,
  );
  server.close();
});

test('a database that does not answer is reported without its password', async () => {
  const url = 'postgresql://popindex:hunter2@127.0.0.1:1/popindex';
  const refusal = withAnsweringDatabase({ url }, () => connectTo(url));
  await expect(refusal).rejects.toThrow(
    'DATABASE_URL: the database at 127.0.0.1:1/popindex does not answer (ECONNREFUSED)',
  );
});

test.each([
  { name: 'LogUnavailableError', message: 'The log could not be read.' },
  { name: 'AppendUncertainError', message: 'The commit may have happened.' },
  { name: 'AccountingUnavailableError', message: 'The log is away.' },
  { name: 'OutcomeUnknownError', message: 'The outcome is not known yet.' },
  { name: 'ProblemException', message: '…', problem: { slug: 'outcome-unknown' } },
  { name: 'Error', message: 'Query read timeout' },
  { name: 'Error', message: 'Connection terminated unexpectedly' },
  { name: 'error', message: 'terminating connection', code: '57P01' },
])(
  'an outage that the start meets as $name, $message, is that of the database',
  async (members) => {
    const work = () => Promise.reject(Object.assign(new Error(members.message), members));
    await expect(withAnsweringDatabase({ url: 'postgresql://h/d' }, work)).rejects.toThrow(
      'DATABASE_URL: the database at h/d does not answer',
    );
  },
);

test('an account that is damaged is no outage', async () => {
  const damage = Object.assign(new Error('It is damaged.'), {
    name: 'AccountingUnavailableError',
    accountId: 'a',
  });
  await expect(
    withAnsweringDatabase({ url: 'postgresql://h/d' }, () => Promise.reject(damage)),
  ).rejects.toBe(damage);
});

test('a database that refuses the password, or is not there, is reported as such', async () => {
  const wrongDatabase = new URL(process.env['TEST_DATABASE_URL'] ?? '');
  wrongDatabase.pathname = '/no_such_database';
  await expect(
    withAnsweringDatabase({ url: wrongDatabase.href }, () => connectTo(wrongDatabase.href)),
  ).rejects.toThrow(
    '/no_such_database does not exist: create it, or correct the name in the URL (3D000)',
  );
});

test('a host that nobody knows is reported as such', async () => {
  const lost = Object.assign(new Error('getaddrinfo'), { code: 'ENOTFOUND' });
  await expect(
    withAnsweringDatabase({ url: 'postgresql://nowhere/d' }, () => Promise.reject(lost)),
  ).rejects.toThrow(
    'DATABASE_URL: the database at nowhere/d does not answer: its host name is not known (ENOTFOUND)',
  );
});

test.each([
  [{ url: 'postgresql://h/d' }, false, 'DATABASE_URL: the database at h/d'],
  [{ url: 'postgresql://h/d', migrationUrl: null }, true, 'DATABASE_URL: the database at h/d'],
  [
    { url: 'postgresql://a:b@h/d', migrationUrl: 'postgresql://owner:b@h2/d' },
    true,
    'MIGRATION_DATABASE_URL: the database at h2/d',
  ],
  [
    { url: 'postgresql://h/d', migrationUrl: 'postgresql://h/d', folder: '/data' },
    true,
    'DATA_DIR: the embedded database in /data',
  ],
])('%j is named by the setting that leads to it', async (database, asOwner, name) => {
  expect(databaseName(database, asOwner)).toBe(name);
  const newer = Object.assign(new Error('was migrated by a newer version (X)'), {
    name: 'MigrationRefusedError',
  });
  await expect(
    withAnsweringDatabase(database, () => Promise.reject(newer), asOwner),
  ).rejects.toThrow(`${name} was migrated by a newer version (X)`);
});

test('a bug is no expected fault: it passes unchanged and has no lines', async () => {
  const bug = new TypeError('undefined is not a function');
  const work = () => Promise.reject(bug);
  await expect(withAnsweringDatabase({ url: 'postgresql://h/d' }, work)).rejects.toBe(bug);
  await expect(listenOn('API_PORT', 'h', 1, work)).rejects.toBe(bug);
  expect(startupLines(bug)).toBeUndefined();
  expect(startupLines(new StartupError('DATA_DIR: in use'))).toBe('DATA_DIR: in use');
});
