import { readdir, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { TcpProxy } from '../../../test/setup/tcp-proxy.js';
import { waitFor } from '../../../test/setup/wait-for.js';
import { backUp, fill, Folders, Stage } from '../test-adapters/backup-scene.js';
import { checkBackup } from './check-backup.js';
import { takeBackup } from './take-backup.js';

const folders = new Folders();
let stage: Stage;
let folder: string;

beforeEach(async () => {
  stage = await Stage.open();
  await fill(stage);
  folder = await folders.make();
});

afterEach(() => stage.close());
afterAll(() => folders.remove());

async function reasonOf(): Promise<string> {
  const result = await takeBackup(stage.url, folder);
  if (result.outcome !== 'refused') throw new Error(`It was ${result.outcome}.`);
  return result.reason;
}

test('a folder that holds anything is refused, and stays as it is', async () => {
  await mkdir(folder);
  await writeFile(path.join(folder, 'mine.txt'), 'text');
  expect(await reasonOf()).toBe(`The folder ${folder} is not empty.`);
  expect(await readdir(folder)).toEqual(['mine.txt']);
});

test('a second backup into the same folder is refused', async () => {
  await backUp(stage, folder);
  expect(await reasonOf()).toContain('is not empty');
  expect(await checkBackup(folder)).toMatchObject({ outcome: 'sound' });
});

test('a database without a log is refused', async () => {
  await stage.wipe();
  expect(await reasonOf()).toBe('The database holds no log yet.');
});

test('a database that a newer version has migrated is refused', async () => {
  await stage.pool.query(`insert into migration (timestamp, name) values (9, 'Future9')`);
  expect(await reasonOf()).toContain('A newer version has migrated the database (Future9)');
});

test('a database of an older version is backed up without the tables it does not have', async () => {
  await stage.pool.query('drop table release_figure');
  const { tables } = await backUp(stage, folder);
  expect(tables.map(({ table }) => table)).not.toContain('release_figure');
  expect(tables.map(({ table }) => table)).toContain('release_series');
});

test.each([
  ['an event', 'delete from event where lane = 7 and position = 9', 'holds 133 events'],
  ['a batch', 'delete from batch where lane = 7 and last_position = 10', 'batches of 131'],
])('a log that misses %s makes no backup', async (_what, statement, detail) => {
  await stage.pool.query(statement);
  const reason = await reasonOf();
  expect(reason).toContain('Lane 7 is damaged: it stands at 134, but ');
  expect(reason).toContain(detail);
  expect(await checkBackup(folder)).toMatchObject({ outcome: 'faulty' });
});

test.each([1, 90, 200, 300])('a connection lost after %s rows ends the backup', async (rows) => {
  const proxy = await TcpProxy.start(stage.url);
  const cut = ({ done }: { readonly done: number }): void => {
    if (done >= rows) proxy.setMode('refuse');
  };
  await expect(takeBackup(proxy.url, folder, { onProgress: cut })).rejects.toThrow(
    /connection|ECONN/i,
  );
  await proxy.stop();
  expect(await readdir(folder)).toEqual([]);
});

test('a file that cannot be written ends the backup, and every connection with it', async () => {
  const block = async (): Promise<void> => {
    await mkdir(path.join(folder, 'tables', 'profile.copy'), { recursive: true });
  };
  let blocked: Promise<void> | undefined;
  const onProgress = (): void => {
    blocked ??= block();
  };
  await expect(takeBackup(stage.url, folder, { onProgress })).rejects.toThrow(/EISDIR|EEXIST/);
  await waitFor('no connection of the backup is left', async () => {
    const { rowCount } = await stage.pool.query(
      `select from pg_stat_activity
        where datname = current_database() and application_name = 'popindex backup'`,
    );
    return rowCount === 0;
  });
  expect(await readdir(folder)).toEqual([]);
});
