import { openDatabase } from '#database/database.js';
import { SYSTEM_ACCOUNT } from '#event-log/event-log.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { TcpProxy } from '../../../test/setup/tcp-proxy.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { backUp, fill, Folders, Stage } from '../test-adapters/backup-scene.js';
import type { BackupProgress } from './backup-progress.js';
import { restoreBackup } from './restore-backup.js';

const folders = new Folders();
let source: Stage;
let target: Stage;
let folder: string;

beforeAll(async () => {
  source = await Stage.open();
  await fill(source);
  folder = await folders.make();
  await backUp(source, folder);
});

beforeEach(async () => {
  target = await Stage.open();
});

afterEach(() => target.close());

afterAll(async () => {
  await source.close();
  await folders.remove();
});

async function reasonOf(): Promise<string> {
  const result = await restoreBackup(target.url, folder);
  if (result.outcome !== 'refused') throw new Error(`It was ${result.outcome}.`);
  return result.reason;
}

test('a log that holds events is refused and keeps them', async () => {
  const account = TestAccount.inLane(5);
  await target.append(account.many(2));
  const before = await target.rows('event');
  expect(await reasonOf()).toBe(
    'The database is not empty, its log holds 2 events: a backup is restored into an empty one. ' +
      'Restore into another database or another DATA_DIR; if you need nothing of this one, drop it and create it again.',
  );
  expect(await target.rows('event')).toEqual(before);
});

/** Appends what a start of the service does before there is any account. */
async function startOnce(): Promise<TestAccount> {
  const system = new TestAccount(SYSTEM_ACCOUNT);
  await target.append([
    system.next({ type: 'BillingZoneSet', data: '{"zone":"UTC"}', callId: null }),
    system.next({ type: 'ReceiptKeyMade', data: '{"kid":"k"}', callId: null }),
  ]);
  await target.pool.query(
    `insert into checkpoint (projection, lane, position, version) values ('ledger', 0, 2, 1);
     insert into verification values (gen_random_uuid(), now(), '{}')`,
  );
  expect(await target.rows('event', 'lane = 0')).toHaveLength(2);
  return system;
}

test('a database that holds nothing but what a start makes is replaced as a whole', async () => {
  await startOnce();
  expect(await restoreBackup(target.url, folder)).toMatchObject({ outcome: 'restored' });
  for (const table of ['event', 'batch', 'lane']) {
    expect(await target.rows(table)).toEqual(await source.rows(table));
  }
  for (const table of ['checkpoint', 'verification', 'receipt_key', 'audit_entry']) {
    expect(await target.rows(table)).toEqual([]);
  }
});

test('a start of which other events are left is refused and kept', async () => {
  const system = await startOnce();
  await target.append([system.next({ type: 'RateCardPublished', callId: null })]);
  expect(await reasonOf()).toContain('its log holds 3 events');
  expect(await target.rows('event')).toHaveLength(3);
});

test('a database that a process of the service uses is refused, with what to do', async () => {
  await startOnce();
  const service = openDatabase({ url: target.url, applicationName: 'popindex calls' });
  await service.query('select 1');
  expect(await reasonOf()).toMatch(/uses this database .*"popindex calls".* Stop it first/);
  await service.end();
});

test.each(['profile', 'release_load', 'ledger_account', 'window_key'])(
  'rows in %s are refused although the log is empty',
  async (table) => {
    const values: Readonly<Record<string, string>> = {
      profile: `gen_random_uuid(), gen_random_uuid(), '{}', sha256('x')`,
      release_load: `1, 'abc'`,
      ledger_account: `1, gen_random_uuid(), 1, sha256('x'), '{}'`,
      window_key: `1, gen_random_uuid(), '2026w47', '/v1', now(), 1, 10`,
    };
    await target.pool.query(`insert into ${table} values (${values[table]})`);
    expect(await reasonOf()).toContain(`table ${table} has rows`);
  },
);

test('a second restore is refused, and so is one of two at once', async () => {
  const outcomes = await Promise.all([
    restoreBackup(target.url, folder),
    restoreBackup(target.url, folder),
  ]);
  expect(outcomes.map(({ outcome }) => outcome).toSorted()).toEqual(['refused', 'restored']);
  expect(await reasonOf()).toContain('its log holds 268 events');
  expect(await target.rows('event')).toEqual(await source.rows('event'));
});

test.each(['loading rows', 'building indexes'] as const)(
  'a restore whose connection is lost while %s leaves nothing, and can be started again',
  async (stage) => {
    const proxy = await TcpProxy.start(target.url);
    const cut = ({ stage: at, done }: BackupProgress): void => {
      if (at === stage && done > 0) proxy.setMode('refuse');
    };
    await expect(restoreBackup(proxy.url, folder, cut)).rejects.toThrow(/connection|ECONN/i);
    await proxy.stop();
    await waitFor('the server gave the transaction up', async () => {
      const { rowCount } = await target.pool.query(
        `select from pg_stat_activity
          where datname = current_database() and application_name = 'popindex restore'`,
      );
      return rowCount === 0;
    });
    expect(await target.isEmpty()).toBe(true);
    expect(await restoreBackup(target.url, folder)).toMatchObject({ outcome: 'restored' });
    expect(await target.rows('event')).toEqual(await source.rows('event'));
  },
);

test('a restore that throws in the middle leaves nothing', async () => {
  const fail = ({ stage, done }: BackupProgress): void => {
    if (stage === 'loading rows' && done > 0) throw new Error('no more');
  };
  await expect(restoreBackup(target.url, folder, fail)).rejects.toThrow('no more');
  expect(await target.isEmpty()).toBe(true);
  expect(await restoreBackup(target.url, folder)).toMatchObject({ outcome: 'restored' });
});

test('a missing folder is reported with the error of the system', async () => {
  await expect(restoreBackup(target.url, `${folder}-other`)).rejects.toThrow('ENOENT');
});
