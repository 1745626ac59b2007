import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { UnsettledCall } from './messages.js';
import { UnsettledJournal } from './unsettled-journal.js';

const CALL: UnsettledCall = {
  accountId: '0197c000-0000-7000-8000-00000000000a',
  callId: '0197c000-0000-7000-9000-000000000001',
  sentAt: 1_795_305_303_235,
  notAfter: 1_795_305_313_235,
  mayHaveExisted: false,
};
const OTHER = { ...CALL, callId: '0197c000-0000-7000-9000-000000000002', mayHaveExisted: true };

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
  expect((await successor.read()).toSorted((a, b) => (a.callId < b.callId ? -1 : 1))).toEqual([
    CALL,
    OTHER,
  ]);
  expect(successor.holds(CALL.callId)).toBe(true);
  await successor.drop(CALL.callId);
  expect(journal.holds(CALL.callId)).toBe(false);
  expect(await journal.read()).toEqual([OTHER]);
  await journal.drop(CALL.callId);
  expect(faults).toEqual([]);
});

test('a file that a killed process left half written is passed over', async () => {
  await journal.keep(CALL);
  const [name = ''] = await readdir(path.join(folder, 'unsettled-calls'));
  await writeFile(path.join(folder, 'unsettled-calls', `${name}.4711`), '{"accountId":');
  expect(await journal.read()).toEqual([CALL]);
  expect(faults).toEqual([]);
});

test('a file that holds something else is told of, and the others are read', async () => {
  await journal.keep(CALL);
  await writeFile(path.join(folder, 'unsettled-calls', 'x.json'), '{"accountId":1}');
  expect(await journal.read()).toEqual([CALL]);
  expect(String(faults[0])).toContain('x.json holds no unsettled call.');
});

test('a disk that takes nothing is told of, and nobody waits for it', async () => {
  await writeFile(path.join(folder, 'unsettled-calls'), 'no folder');
  expect(await journal.keep(CALL)).toBe(false);
  expect(faults).toHaveLength(1);
});
