import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UnsettledCall } from './messages.js';
import { UnsettledJournal } from './unsettled-journal.js';

const CALL: UnsettledCall = {
  accountId: '0197c000-0000-7000-8000-00000000000a',
  callId: '0197c000-0000-7000-9000-000000000001',
};
/** The same call under an idempotency key, left by a request of its own. */
const OTHER = { ...CALL, requestId: '0197c000-0000-7000-a000-000000000002' };

let folder: string;
let faults: unknown[];
let journal: UnsettledJournal;

beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'unsettled-'));
  faults = [];
  journal = new UnsettledJournal(folder, (fault) => faults.push(fault));
});

afterEach(() => rm(folder, { recursive: true, force: true }));

test('what a process keeps its successor reads, until it is dropped', async () => {
  expect(await journal.read()).toEqual([]);
  expect(await Promise.all([journal.keep(CALL), journal.keep(OTHER)])).toEqual([true, true]);
  const successor = new UnsettledJournal(folder, (fault) => faults.push(fault));
  expect(await successor.read()).toHaveLength(2);
  expect(await successor.read()).toEqual(expect.arrayContaining([CALL, OTHER]));
  expect(successor.holds(CALL)).toBe(true);
  await successor.drop(CALL);
  expect(journal.holds(CALL)).toBe(false);
  expect(await journal.read()).toEqual([OTHER]);
  await journal.drop(CALL);
  expect(faults).toEqual([]);
});

test('a file that a killed process left half written is passed over', async () => {
  await journal.keep(CALL);
  const [name = ''] = await readdir(path.join(folder, 'unsettled-calls'));
  await writeFile(path.join(folder, 'unsettled-calls', `${name}.4711`), '{"accountId":');
  expect(await journal.read()).toEqual([CALL]);
  expect(faults).toEqual([]);
});

test('a file that holds something else is reported, and the others are read', async () => {
  await journal.keep(CALL);
  await writeFile(path.join(folder, 'unsettled-calls', 'x.json'), '{"accountId":1}');
  expect(await journal.read()).toEqual([CALL]);
  expect(String(faults[0])).toContain('x.json holds no unsettled call.');
});

test('a disk that takes nothing is reported, and nobody waits for it', async () => {
  await writeFile(path.join(folder, 'unsettled-calls'), 'no folder');
  expect(await journal.keep(CALL)).toBe(false);
  expect(faults).toHaveLength(1);
});
