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
    'The database is not empty, its log holds 2 events: a backup is restored into an empty one. Create another database, or choose another DATA_DIR.',
  );
  expect(await target.rows('event')).toEqual(before);
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

test.each(['loading', 'indexing'] as const)(
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
    if (stage === 'loading' && done > 0) throw new Error('no more');
  };
  await expect(restoreBackup(target.url, folder, fail)).rejects.toThrow('no more');
  expect(await target.isEmpty()).toBe(true);
  expect(await restoreBackup(target.url, folder)).toMatchObject({ outcome: 'restored' });
});

test('a missing folder is reported with the error of the system', async () => {
  await expect(restoreBackup(target.url, `${folder}-other`)).rejects.toThrow('ENOENT');
});
