import { cp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { backUp, fill, Folders, forge, Stage } from '../test-adapters/backup-scene.js';
import { backupFaultText } from './backup-fault.js';
import { checkBackup } from './check-backup.js';
import type { Manifest } from './manifest.js';
import { restoreBackup } from './restore-backup.js';

const LANE = 'log/lane-07.jsonl';
const PROFILES = 'tables/profile.copy';

const folders = new Folders();
let source: Stage;
let target: Stage;
let sound: string;
let manifest: Manifest;
let folder: string;

beforeAll(async () => {
  [source, target] = [await Stage.open(), await Stage.open()];
  await fill(source);
  sound = await folders.make();
  manifest = await backUp(source, sound);
});

beforeEach(async () => {
  folder = await folders.make();
  await cp(sound, folder, { recursive: true });
});

afterAll(async () => {
  await Promise.all([source.close(), target.close()]);
  await folders.remove();
});

/** The faults that a check finds; a restore must find them too, and write nothing. */
async function faults(): Promise<string[]> {
  const restored = await restoreBackup(target.url, folder);
  expect(restored.outcome).toBe('faulty');
  expect(await target.isEmpty()).toBe(true);
  const checked = await checkBackup(folder);
  if (checked.outcome !== 'faulty' || restored.outcome !== 'faulty') return [];
  return restored.faults.map(backupFaultText);
}

async function edit(file: string, change: (text: string) => string): Promise<void> {
  const target = path.join(folder, file);
  await writeFile(target, change(await readFile(target, 'utf8')));
}

function swapped(lines: string[], first: number): string[] {
  const copy = [...lines];
  [copy[first], copy[first + 1]] = [copy[first + 1] ?? '', copy[first] ?? ''];
  return copy;
}

test('the untouched backup is sound', async () => {
  expect(await checkBackup(folder)).toMatchObject({ outcome: 'sound', manifest });
});

test('a changed byte of an event is found, with its lines', async () => {
  await edit(LANE, (text) => text.replace('{\\"n\\":9}', '{\\"n\\":8}'));
  expect(await faults()).toEqual([`${LANE}:8: the events from 8 to 10 were changed`]);
});

test('a changed byte that no chain vouches for is found by its file', async () => {
  await edit(LANE, (text) => text.replace(/("committed_at":"\d{3})\d/, '$10'));
  expect(await faults()).toEqual([`${LANE}: was changed: its SHA-256 is not that of the manifest`]);
});

test('a changed byte of a table is found', async () => {
  await edit(PROFILES, (text) => text.replace('Nails', 'Nailz'));
  expect(await faults()).toEqual([
    `${PROFILES}: was changed: its SHA-256 is not that of the manifest`,
  ]);
});

test('every missing file is named', async () => {
  await rm(path.join(folder, LANE));
  await rm(path.join(folder, PROFILES));
  expect(await faults()).toEqual([`${LANE}: is missing`, `${PROFILES}: is missing`]);
});

test('a file that was cut in the middle of a line is found where it ends', async () => {
  const text = await readFile(path.join(folder, LANE), 'utf8');
  const thirdEnds = text.split('\n').slice(0, 3).join('\n').length + 1;
  await truncate(path.join(folder, LANE), Buffer.byteLength(text.slice(0, thirdEnds)) + 20);
  expect(await faults()).toEqual([`${LANE}:4: is cut off`]);
});

test('a file that was cut between two lines is found where it ends', async () => {
  await edit(LANE, (text) => `${text.split('\n').slice(0, 10).join('\n')}\n`);
  expect(await faults()).toEqual([`${LANE}:10: is the last line, but the lane stands at 134`]);
});

test('a cut table is found', async () => {
  await edit(PROFILES, (text) => text.slice(0, 500));
  expect((await faults())[0]).toMatch(/^tables\/profile\.copy: has \d+ bytes instead of \d+$/);
});

test('an empty file is found', async () => {
  await truncate(path.join(folder, LANE), 0);
  expect(await faults()).toEqual([`${LANE}:1: is the last line, but the lane stands at 134`]);
});

test('swapped lines are found at the first of them', async () => {
  await edit(LANE, (text) => swapped(text.split('\n'), 20).join('\n'));
  expect(await faults()).toEqual([`${LANE}:21: holds position 22 instead of 21`]);
});

test('a backup of a newer format is refused', async () => {
  await edit('manifest.json', (text) => text.replace('"format": 1', '"format": 2'));
  expect(await faults()).toEqual([
    'manifest.json: is of format 2, which a newer version wrote; this one reads format 1',
  ]);
});

test('a file that is no part of the backup is found', async () => {
  await writeFile(path.join(folder, 'log', 'lane-65.jsonl'), '');
  await writeFile(path.join(folder, 'notes.txt'), 'mine');
  expect(await faults()).toEqual([
    'log/lane-65.jsonl: is no part of this backup',
    'notes.txt: is no part of this backup',
  ]);
});

test('a changed manifest is found', async () => {
  await edit('manifest.json', (text) => text.replace(/"created_at": "2/, '"created_at": "1'));
  expect(await faults()).toEqual(['manifest.json: was changed: its own SHA-256 does not fit']);
});

test('a folder without a manifest is no backup', async () => {
  await rm(path.join(folder, 'manifest.json'));
  expect(await faults()).toEqual([
    'manifest.json: is missing: this folder holds no backup, or one that was never finished',
  ]);
});

describe('where the checksums were made to fit', () => {
  test('a changed event breaks a chain', async () => {
    await forge(folder, manifest, LANE, (lines) =>
      lines.map((line, index) => (index === 9 ? line.replace('CallMade', 'CallMape') : line)),
    );
    expect(await faults()).toEqual([`${LANE}:8: the events from 8 to 10 were changed`]);
  });

  test('a dropped event leaves a gap', async () => {
    await forge(folder, manifest, LANE, (lines) => lines.toSpliced(30, 1));
    expect(await faults()).toEqual([`${LANE}:31: holds position 32 instead of 31`]);
  });

  test('a dropped tail is missed by the manifest', async () => {
    await forge(folder, manifest, LANE, (lines) => lines.slice(0, -3));
    expect(await faults()).toEqual([`${LANE}:131: is the last line, but the lane stands at 134`]);
  });

  test('a line of another lane belongs to another account', async () => {
    const other = await readFile(path.join(folder, 'log/lane-01.jsonl'), 'utf8');
    await forge(folder, manifest, LANE, () => other.trimEnd().split('\n'));
    expect((await faults())[0]).toMatch(/lane-07\.jsonl:1: account .* does not belong to lane 7$/);
  });

  test('a line that is no event is named', async () => {
    await forge(folder, manifest, LANE, (lines) => lines.with(4, '{"position":5}'));
    expect(await faults()).toEqual([`${LANE}:5: account_id is no UUID`]);
  });

  test('a row that its table does not take is named, and everything is rolled back', async () => {
    await forge(folder, manifest, PROFILES, (lines) => lines.with(11, `x${lines[11] ?? ''}`));
    const result = await restoreBackup(target.url, folder);
    if (result.outcome !== 'faulty') throw new Error(result.outcome);
    expect(result.faults.map(backupFaultText)[0]).toMatch(
      /^tables\/profile\.copy:12: invalid input syntax for type uuid/,
    );
    expect(await target.isEmpty()).toBe(true);
  });

  test('a dropped row is missed by the manifest', async () => {
    await forge(folder, manifest, PROFILES, (lines) => lines.slice(1));
    const result = await restoreBackup(target.url, folder);
    if (result.outcome !== 'faulty') throw new Error(result.outcome);
    expect(result.faults.map(backupFaultText)).toEqual([
      `${PROFILES}: holds 49 rows instead of 50`,
    ]);
    expect(await target.isEmpty()).toBe(true);
  });
});
