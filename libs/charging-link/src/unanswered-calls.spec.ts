import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { UNANSWERED_FOLDER, UnansweredCalls } from './unanswered-calls.js';
import { openCalls } from './unanswered-lines.js';

const ACCOUNT = '0197c000-0000-7000-8000-00000000000a';

let dataDir: string;
let faults: unknown[];
let unanswered: UnansweredCalls;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'unanswered-'));
  faults = [];
  unanswered = new UnansweredCalls(dataDir, (fault) => faults.push(fault));
});

afterEach(async () => {
  unanswered.close();
  await rm(dataDir, { recursive: true, force: true });
});

function call(n: number) {
  const callId = `0197c000-0000-7000-9000-${n.toString(16).padStart(12, '0')}`;
  return { callId, accountId: ACCOUNT, requestId: undefined };
}

async function files(): Promise<string[]> {
  const folder = path.join(dataDir, UNANSWERED_FOLDER);
  return (await readdir(folder)).map((name) => path.join(folder, name));
}

/** Calls that a successor would find if this process were killed now. */
async function found(): Promise<string[]> {
  const texts = await Promise.all((await files()).map((file) => readFile(file, 'latin1')));
  return openCalls(texts).map(({ callId }) => callId);
}

test('a call stands in the file once its charge may be requested, until it is struck out', async () => {
  const first = unanswered.record(call(1));
  const second = unanswered.record(call(2));
  expect(unanswered.writing()).toBe(unanswered.writing());
  await unanswered.writing();
  expect(await found()).toEqual([call(1).callId, call(2).callId]);
  unanswered.clear(first);
  unanswered.clear(first);
  await unanswered.writing();
  expect(await found()).toEqual([call(2).callId]);
  expect(unanswered.size).toBe(1);
  unanswered.clear(second);
  await unanswered.writing();
  expect(await found()).toEqual([]);
});

test('the file stays bounded and keeps a call that is open for long', async () => {
  unanswered.record(call(0));
  for (let turn = 1; turn <= 40; turn += 1) {
    const numbers = Array.from({ length: 1_000 }, (_, n) =>
      unanswered.record(call(turn * 1_000 + n)),
    );
    await unanswered.writing();
    for (const n of numbers) unanswered.clear(n);
    await unanswered.writing();
  }
  const [file = '', ...others] = await files();
  expect(others).toEqual([]);
  expect((await readFile(file)).length).toBeLessThan(1_300_000);
  expect(await found()).toEqual([call(0).callId]);
});

test('a file in which all is struck out is emptied, and goes at a stop', async () => {
  const numbers = Array.from({ length: 1_000 }, (_, n) => unanswered.record(call(n)));
  await unanswered.writing();
  for (const n of numbers) unanswered.clear(n);
  await unanswered.writing();
  const [file = ''] = await files();
  expect((await readFile(file)).length).toBe(0);
  unanswered.close();
  expect(await files()).toEqual([]);
});

test('a call that is open at a stop is left to the successor', async () => {
  unanswered.record(call(1));
  unanswered.close();
  expect(await found()).toEqual([call(1).callId]);
});

test('a disk that takes nothing stops no call, is reported once, and leaves no file', async () => {
  unanswered.close();
  const folder = path.join(dataDir, UNANSWERED_FOLDER);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'no folder');
  unanswered = new UnansweredCalls(dataDir, (fault) => faults.push(fault));
  unanswered.clear(unanswered.record(call(1)));
  await unanswered.writing();
  expect([unanswered.isKept, faults.length]).toEqual([false, 1]);
});

test('what is open is kept once the disk takes something again', async () => {
  unanswered.close();
  const folder = path.join(dataDir, UNANSWERED_FOLDER);
  await rm(folder, { recursive: true });
  await writeFile(folder, 'no folder');
  unanswered = new UnansweredCalls(dataDir, (fault) => faults.push(fault));
  unanswered.record(call(1));
  await rm(folder);
  jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 1_000);
  await unanswered.writing();
  jest.restoreAllMocks();
  expect(unanswered.isKept).toBe(true);
  expect(await found()).toEqual([call(1).callId]);
});
