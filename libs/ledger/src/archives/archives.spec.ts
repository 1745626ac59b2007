import { readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { callAt, HOUR, TUESDAY, DAY } from '#account/scenario.suite.js';
import { bringBackCalls } from '#backup/archives/archive-calls.js';
import { ArchivedData } from '#backup/archives/archived-data.js';
import { restoreBackup } from '#backup/restore-backup.js';
import { takeBackup } from '#backup/take-backup.js';
import { openDatabase } from '#database/database.js';
import { standingArchives } from '#event-log/standing-archives.js';
import { archivedCall } from '#event-log/archived-call.js';
import { rebuildToEnd } from '#event-log/bring-up-projection.js';
import { hashEvent } from '#event-log/hash-chain.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { createTestDatabase } from '../../../../test/setup/test-database.js';
import { LANE } from '../verify/sound-log.suite.js';
import {
  archive,
  archivedAmong,
  bringBack,
  DECEMBER,
  eventsOf,
  folder,
  PROJECTIONS,
  sound,
  Stops,
  useArchives,
  verify,
} from './archives.suite.js';

useArchives();

test('calls of closed months leave the log, and nothing else does', async () => {
  const before = await eventsOf();
  const made = await archive();
  const after = await eventsOf();
  expect(made).toMatchObject({ archive: 1, before: DECEMBER, calls: 10 });
  expect(archivedAmong(after)).toHaveLength(10);
  for (const [index, event] of after.entries()) {
    const was = before[index];
    if (archivedCall(event.data) === undefined) expect(event).toEqual(was);
    else expect({ ...event, data: '' }).toEqual({ ...was, data: '' });
  }
  const filled = await new ArchivedData(folder).fill(sound.pool, after);
  expect(filled).toEqual(before);
  expect(await archive()).toBeNull();
});

test('a month that is not over is left alone', async () => {
  expect(await archive('2026-11')).toBeNull();
  expect(archivedAmong(await eventsOf())).toEqual([]);
  expect(await readdir(folder)).toHaveLength(0);
});

test('a verification recomputes all of it with the files, and says so where it cannot', async () => {
  await archive();
  expect(await verify()).toMatchObject({ intact: true, notCovered: [] });
  const without = await verify('/nowhere');
  expect(without.intact).toBe(true);
  expect(without.notCovered).toEqual([
    expect.stringMatching(/^Lane 7: 5 calls before 2026-12 are archived in .*lane-07\.jsonl/),
    expect.stringMatching(/^Lane 40: 5 calls/),
  ]);
});

test.each([
  ['a changed file', async () => change((text) => text.replace('repeat', 'REPEAT'))],
  ['a forged hash', async () => forge('select data from event where lane = 40 and type = $1')],
])('a verification finds %s', async (_what, damage) => {
  await archive();
  await damage();
  const { intact, checks } = await verify();
  expect(intact).toBe(false);
  expect(checks.flatMap(({ check, first }) => (first === null ? [] : [check]))).not.toEqual([]);
});

async function change(how: (text: string) => string): Promise<void> {
  const [name = ''] = await readdir(folder);
  const file = path.join(folder, name, 'lane-07.jsonl');
  const text = await readFile(file, 'utf8');
  expect(how(text)).not.toBe(text);
  await writeFile(file, how(text));
}

async function forge(other: string): Promise<void> {
  const [row] = archivedAmong(await sound.log.read(LANE, 0, 1_000));
  await sound.sql(
    `update event set data = (${other} and data ->> 'api_key' like 'archived%' limit 1)
      where lane = $2 and position = $3`,
    ['CallMade', LANE, row?.position],
  );
}

test('ids and versions of archived calls are refused like those of present ones', async () => {
  await archive();
  const [call] = archivedAmong(await sound.log.read(LANE, 0, 1_000));
  if (call === undefined) throw new Error('Nothing is archived.');
  const [end] = await sound.log.ends([LANE]);
  if (end === undefined) throw new Error('There is no lane.');
  const again = [
    { ...call, accountVersion: 900 },
    { ...call, callId: null },
  ];
  for (const event of again) {
    const created = { ...event, data: '{}', hash: hashEvent('0'.repeat(64), event) };
    await expect(sound.log.append([{ end, events: [created] }])).rejects.toThrow('exists already');
  }
  expect(await sound.log.ends([LANE])).toEqual([end]);
});

test('wherever it is killed, the next run ends it, and nothing is lost or written twice', async () => {
  const events = await eventsOf();
  const counted = new Stops();
  await archive(DECEMBER, counted);
  await bringBack();
  expect(await eventsOf()).toEqual(events);
  expect(counted.steps).toBeGreaterThan(10);
  for (let at = 1; at <= counted.steps; at += 1) {
    await expect(archive(DECEMBER, new Stops(at))).rejects.toThrow('killed');
    expect(await verify()).toMatchObject({ intact: true });
    await archive();
    expect(archivedAmong(await eventsOf())).toHaveLength(10);
    expect(await new ArchivedData(folder).fill(sound.pool, await eventsOf())).toEqual(events);
    await expect(bringBack(new Stops(1 + (at % 6)))).rejects.toThrow('killed');
    await bringBack();
    expect(await eventsOf()).toEqual(events);
  }
}, 120_000);

test('a rebuild after bringing back makes the same rows', async () => {
  await archive();
  await bringBack();
  for (const projection of PROJECTIONS) await rebuildToEnd(sound.pool, projection);
  expect(await verify()).toMatchObject({ intact: true });
});

test('a backup holds what is left of archived calls, and is restored with it', async () => {
  await archive();
  const taken = await takeBackup(sound.url, path.join(folder, 'backup'));
  expect(taken).toMatchObject({ outcome: 'written' });
  const target = await createTestDatabase();
  const pool = openDatabase({ url: target.url, applicationName: 'archives-spec' });
  try {
    const restored = await restoreBackup(target.url, path.join(folder, 'backup'));
    expect(restored).toMatchObject({ outcome: 'restored' });
    const log = new PostgresEventLog(pool, target.groups);
    const system = new SystemStream(log);
    expect(await log.read(LANE, 0, 1_000)).toEqual(await sound.log.read(LANE, 0, 1_000));
    const standing = await standingArchives(pool);
    await bringBackCalls({ pool, system, folder, now: () => TUESDAY }, standing);
    await bringBack();
    expect(await log.read(LANE, 0, 1_000)).toEqual(await sound.log.read(LANE, 0, 1_000));
    expect(archivedAmong(await log.read(LANE, 0, 1_000))).toEqual([]);
  } finally {
    await pool.end();
    await target.drop();
  }
});

test('calls go on while others are archived', async () => {
  const later = TUESDAY + 8 * DAY;
  const calls = (async () => {
    for (let n = 0; n < 20; n += 1)
      await sound.write(sound.accountId, later + n * HOUR, callAt(later + n * HOUR));
  })();
  await archive();
  await calls;
  await sound.project();
  expect(archivedAmong(await eventsOf())).toHaveLength(10);
  expect(await verify()).toMatchObject({ intact: true, notCovered: [] });
});
