import { spawnSync } from 'node:child_process';
import { chmod, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { saveExport } from './save-export.js';

let folder: string;
let file: string;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'save-export-'));
  file = path.join(folder, 'invoices.csv');
});

afterEach(() => rm(folder, { recursive: true, force: true }));

async function openFile(name: string, mode = 0o666): Promise<void> {
  await writeFile(name, 'before');
  await chmod(name, mode);
}

const bodyOf = (text: string) => new Response(text).body;
const modeOf = async (name: string) => (await stat(name)).mode & 0o777;

test('an export is for its owner alone, whatever the umask is', async () => {
  const before = process.umask(0);
  try {
    await saveExport(bodyOf('1,2'), file);
  } finally {
    process.umask(before);
  }
  expect([await readFile(file, 'utf8'), await modeOf(file)]).toEqual(['1,2', 0o600]);
});

test('it replaces a file that others could read, and what a killed command has left', async () => {
  await openFile(file);
  await openFile(`${file}.part`);
  await saveExport(bodyOf('1,2'), file);
  expect([await readFile(file, 'utf8'), await modeOf(file)]).toEqual(['1,2', 0o600]);
  expect(await readdir(folder)).toEqual(['invoices.csv']);
});

test('it is not written through a link that somebody has put in its way', async () => {
  const other = path.join(folder, 'other');
  await openFile(other);
  await symlink(other, `${file}.part`);
  await saveExport(bodyOf('1,2'), file);
  expect(await readFile(other, 'utf8')).toBe('before');
  expect(await modeOf(file)).toBe(0o600);
});

test('of one that breaks off nothing is kept, and the file before stays', async () => {
  await openFile(file);
  const body = new ReadableStream({
    start: (controller) => {
      controller.enqueue(Buffer.from('1,'));
      controller.error(new Error('connection lost'));
    },
  });
  await expect(saveExport(body as never, file)).rejects.toThrow('connection lost');
  expect([await readdir(folder), await readFile(file, 'utf8')]).toEqual([
    ['invoices.csv'],
    'before',
  ]);
});

test('a pipe, or a device, is written to and stays what it is', async () => {
  expect(spawnSync('mkfifo', [file]).status).toBe(0);
  const read = readFile(file, 'utf8');
  await saveExport(bodyOf('1,2'), file);
  expect(await read).toBe('1,2');
  expect((await stat(file)).isFIFO()).toBe(true);
  expect(await readdir(folder)).toEqual(['invoices.csv']);
});
