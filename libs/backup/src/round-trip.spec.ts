import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import { isDistributed } from '#database/cluster/distribute.js';
import { SYSTEM_ACCOUNT, SYSTEM_LANE } from '#event-log/event-log.js';
import { verifyLane } from '#event-log/verify-lane.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { backUp, fill, Folders, Stage } from '../test-adapters/backup-scene.js';
import { BACKED_UP_TABLES } from './backed-up-tables.js';
import type { BackupProgress } from './backup-progress.js';
import { checkBackup } from './check-backup.js';
import { manifestSum, type Manifest } from './manifest.js';
import { restoreBackup } from './restore-backup.js';
import { takeBackup } from './take-backup.js';

const LANES = [SYSTEM_LANE, 1, 7, 64];
/** Who was signed in is not signed in again. */
const SIGN_INS = new Set(['portal_session', 'console_session', 'sign_in_link']);

const folders = new Folders();
let source: Stage;
let target: Stage;

beforeEach(async () => {
  [source, target] = [await Stage.open(), await Stage.open()];
});

afterEach(() => Promise.all([source.close(), target.close()]));
afterAll(() => folders.remove());

/** The log's rows as they stood in the snapshot. */
function upTo({ lanes }: Manifest, column: string): string {
  const ends = lanes.map(({ lane, position }) => `(lane = ${lane} and ${column} <= ${position})`);
  return ends.join(' or ');
}

test('what is restored equals what was backed up, in every column of every row', async () => {
  await fill(source);
  const folder = await folders.make();
  const manifest = await backUp(source, folder);
  expect(manifest.events).toBe(4 * (7 + 60));
  await target.wipe();

  const restored = await restoreBackup(target.url, folder);
  if (restored.outcome !== 'restored') throw new Error(restored.outcome);
  expect(restored.manifest).toEqual(manifest);
  expect(manifestSum(restored.manifest)).toBe(manifestSum(manifest));
  const kept = BACKED_UP_TABLES.filter((table) => !SIGN_INS.has(table));
  for (const table of ['lane', 'event', 'batch', ...kept]) {
    const rows = await source.rows(table);
    expect(rows.length).toBeGreaterThan(0);
    expect({ table, rows: await target.rows(table) }).toEqual({ table, rows });
  }
  for (const lane of LANES) {
    expect(await verifyLane(target.log, lane)).toMatchObject({ verdict: 'intact' });
  }
});

test('nobody is signed in to a restored database, and no link opens it', async () => {
  await fill(source);
  await source.pool.query(
    `insert into portal_session (id, account_id, role, opened_by, opened_at, link_hash,
                                 link_expires_at, redeemed_at, cookie_hash, expires_at)
     values (gen_random_uuid(), gen_random_uuid(), 'manager', 'owner', now(), '\\x01', now(), now(),
             '\\x02', now() + interval '8 hours');
     insert into sign_in_link values (gen_random_uuid(), gen_random_uuid(), '/', now(), now());
     insert into console_session values ('\\x03', '\\x04', now(), now() + interval '8 hours')`,
  );
  const folder = await folders.make();
  await backUp(source, folder);
  await restoreBackup(target.url, folder);
  expect(await target.rows('console_session')).toEqual([]);
  expect(await target.rows('sign_in_link')).toEqual([]);
  const { rows } = await target.pool.query(
    'select count(*)::int as links, count(revoked_at)::int as ended from portal_session',
  );
  expect(rows).toEqual([{ links: 2, ended: 2 }]);
});

test('a restored database takes appends, refuses duplicates and has the keys it had', async () => {
  const accounts = await fill(source);
  const folder = await folders.make();
  await backUp(source, folder);
  await restoreBackup(target.url, folder);
  const keys = `select conrelid::regclass::text as "table", conname, pg_get_constraintdef(oid)
    from pg_constraint where contype in ('p', 'u') order by 1, 2`;
  const [before, after] = [await source.pool.query(keys), await target.pool.query(keys)];
  expect(after.rows).toEqual(before.rows);

  const [account] = accounts;
  if (account === undefined) throw new Error('no account');
  const [known] = await target.log.readAccount(account.id, 10, 1);
  const again = account.preview({ callId: known?.callId ?? null });
  await expect(target.append([again])).rejects.toThrow('event_call_id');
  await target.append(account.many(2));
  expect(await verifyLane(target.log, account.lane)).toMatchObject({ verdict: 'intact' });
});

test('a backup of what was restored holds the same bytes', async () => {
  await fill(source);
  // What a restore ends was over before.
  await source.pool.query(
    'delete from console_session; update portal_session set revoked_at = opened_at',
  );
  const [first, second] = [await folders.make(), await folders.make()];
  const before = await backUp(source, first);
  await restoreBackup(target.url, first);
  const after = await backUp(target, second);
  expect(after.lanes).toEqual(before.lanes);
  const texts = async (folder: string) =>
    Promise.all(
      before.tables.map(async ({ file }) =>
        (await readFile(path.join(folder, file), 'utf8')).split('\n').toSorted(),
      ),
    );
  expect(await texts(second)).toEqual(await texts(first));
});

test('while others append, a backup holds one moment of all lanes', async () => {
  await fill(source);
  const folder = await folders.make();
  let writing = true;
  let appended = 0;
  const write = async (): Promise<void> => {
    // Lanes of a group move in one transaction: a backup that saw only one would be torn.
    const pair = [TestAccount.inLane(2), TestAccount.inLane(3)];
    while (writing) {
      await source.append(...pair.map((account) => account.many(2)));
      appended += 1;
    }
  };
  // One writer: of two, each could be let into one lane before the other.
  const writers = [write()];
  const before = await source.log.ends([2, 3]);
  const taken = await takeBackup(source.url, folder, {
    connections: 3,
    // The first progress comes after the snapshot: nothing that follows may be in the backup.
    onProgress: ({ done }) => (done === 0 ? (appended = 0) : undefined),
  });
  const moved = appended;
  writing = false;
  await Promise.all(writers);
  if (taken.outcome !== 'written') throw new Error(taken.reason);
  const { manifest } = taken;
  const events = (lane: number) => manifest.lanes[lane]?.position ?? 0;
  expect(moved).toBeGreaterThan(0);
  // Each group of a cluster has its own moment.
  if (!(await isDistributed(source.pool))) expect(events(2)).toBe(events(3));
  expect(events(2)).toBeGreaterThanOrEqual(before[0]?.position ?? Infinity);
  const [now] = await source.log.ends([2]);
  expect(events(2)).toBeLessThan(now?.position ?? 0);

  expect(await restoreBackup(target.url, folder)).toMatchObject({ outcome: 'restored' });
  expect(await target.rows('event')).toEqual(
    await source.rows('event', upTo(manifest, 'position')),
  );
  const batches = await source.rows('batch', upTo(manifest, 'last_position'));
  expect(await target.rows('batch')).toEqual(batches);
  for (const lane of LANES) {
    expect(await verifyLane(target.log, lane)).toMatchObject({ verdict: 'intact' });
  }
});

test('while others append, a backup holds in lane 0 what its other lanes refer to', async () => {
  const [first, then] = [new TestAccount(SYSTEM_ACCOUNT), TestAccount.inLane(7)];
  let writing = true;
  const write = async (): Promise<void> => {
    while (writing) for (const one of [first, then]) await source.append(one.many(1));
  };
  const written = write();
  for (let taken = 0; taken < 3; taken += 1) {
    const { lanes } = await backUp(source, await folders.make());
    const [referred = 0, referring = 0] = [SYSTEM_LANE, 7].map((lane) => lanes[lane]?.position);
    expect(referred).toBeGreaterThanOrEqual(referring);
  }
  writing = false;
  await written;
});

test('an empty log is backed up and restored', async () => {
  const folder = await folders.make();
  expect(await backUp(source, folder)).toMatchObject({ events: 0, batches: 0 });
  expect(await checkBackup(folder)).toMatchObject({ outcome: 'sound' });
  expect(await restoreBackup(target.url, folder)).toMatchObject({ outcome: 'restored' });
  expect(await target.isEmpty()).toBe(true);
});

test('settings of the database change neither the backup nor what is restored', async () => {
  if (await isDistributed(source.pool)) return; // Each server has its own.
  await fill(source);
  for (const { pool } of [source, target]) {
    const { rows } = await pool.query<{ name: string }>('select current_database() as name');
    const name = rows[0]?.name ?? '';
    await pool.query(`alter database ${name} set timezone = 'Asia/Kolkata'`);
    await pool.query(`alter database ${name} set datestyle = 'German'`);
    await pool.query(`alter database ${name} set bytea_output = 'escape'`);
  }
  const [folder, second] = [await folders.make(), await folders.make()];
  const { lanes } = await backUp(source, folder);
  const [line = ''] = (await readFile(path.join(folder, 'log/lane-01.jsonl'), 'utf8')).split('\n');
  expect(JSON.parse(line)).toMatchObject({ position: 1, at: expect.stringMatching(/\+00:00$/) });
  expect(await restoreBackup(target.url, folder)).toMatchObject({ outcome: 'restored' });
  expect((await backUp(target, second)).lanes).toEqual(lanes);
});

test('a statement timeout of the database ends no backup', async () => {
  if (await isDistributed(source.pool)) return; // It ends what the servers ask of each other.
  await fill(source);
  await source.pool.query(
    `insert into profile (id, account_id, body, sha256)
     select gen_random_uuid(), gen_random_uuid(), '{}', sha256('x') from generate_series(1, 50000)`,
  );
  const { rows } = await source.pool.query<{ name: string }>('select current_database() as name');
  await source.pool.query(`alter database ${rows[0]?.name} set statement_timeout = '5ms'`);
  const manifest = await backUp(source, await folders.make());
  expect(manifest.tables.find(({ table }) => table === 'profile')?.rows).toBe(50_050);
});

test('only its owner can read a backup, and nothing unfinished lies in it', async () => {
  await fill(source);
  const folder = await folders.make();
  await backUp(source, folder);
  const names = await readdir(folder, { recursive: true });
  expect(names.filter((name) => name.endsWith('.part'))).toEqual([]);
  const modes = await Promise.all(names.map((name) => stat(path.join(folder, name))));
  if (process.platform !== 'win32') {
    expect(modes.filter(({ mode }) => (mode & 0o077) !== 0)).toEqual([]);
  }
});

/** The stages of one command, each of which goes from 0 to its total once. */
async function stagesOf(
  work: (onProgress: (progress: BackupProgress) => void) => Promise<unknown>,
): Promise<string[]> {
  const all: BackupProgress[] = [];
  await work((progress) => all.push(progress));
  const stages = all.map(({ stage }) => stage);
  const begun = stages.filter((stage, index) => stage !== stages[index - 1]);
  for (const stage of begun) {
    const own = all.filter((progress) => progress.stage === stage);
    const done = own.map((progress) => progress.done);
    expect([done[0], done.at(-1)]).toEqual([0, own[0]?.total]);
    expect(done).toEqual(done.toSorted((a, b) => a - b));
  }
  return begun;
}

test('each stage has a name of its own and goes from 0 to its total once', async () => {
  await fill(source);
  const folder = await folders.make();
  expect(await stagesOf((onProgress) => takeBackup(source.url, folder, { onProgress }))).toEqual([
    'writing files',
  ]);
  expect(await stagesOf((onProgress) => checkBackup(folder, onProgress))).toEqual([
    'checking files',
    'checking events',
  ]);
  expect(await stagesOf((onProgress) => restoreBackup(target.url, folder, onProgress))).toEqual([
    'checking files',
    'loading rows',
    'building indexes',
  ]);
});
