import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readdir, rm, utimes } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { hasEnded, ownName } from './journal-owner.js';
import { LeftCalls } from './left-calls.js';
import type { UnsettledCall } from './messages.js';
import { UNANSWERED_FOLDER, UnansweredCalls } from './unanswered-calls.js';

const CALL = {
  accountId: '0197c000-0000-7000-8000-00000000000a',
  callId: '0197c000-0000-7000-9000-000000000001',
};
const KEYED = { ...CALL, requestId: '0197c000-0000-7000-a000-000000000002' };
const NOW = 1_000_000;

let dataDir: string;
let unanswered: UnansweredCalls;
let settled: UnsettledCall[];
let isKept: boolean;

beforeEach(async () => {
  dataDir = await mkdtemp(path.join(tmpdir(), 'left-'));
  settled = [];
  isKept = true;
  unanswered = new UnansweredCalls(dataDir, fail);
});

afterEach(async () => {
  unanswered.close();
  await rm(dataDir, { recursive: true, force: true });
});

function fail(error: unknown): void {
  throw error;
}

function peer(ended?: (name: string) => boolean | undefined): LeftCalls {
  return new LeftCalls({
    dataDir,
    settle: async (call) => {
      settled.push(call);
      return isKept;
    },
    now: () => NOW,
    onFault: fail,
    ...(ended !== undefined && { ended }),
  });
}

function files(): Promise<string[]> {
  return readdir(path.join(dataDir, UNANSWERED_FOLDER));
}

async function record(...calls: readonly UnsettledCall[]): Promise<void> {
  for (const call of calls) unanswered.record(call);
  await unanswered.writing();
}

test('what a process that has ended left is settled, under a key after the minutes of replay', async () => {
  await record(CALL, KEYED);
  const left = peer(() => true);
  await left.look();
  expect(settled).toEqual([
    { ...CALL, notBefore: NOW + 10_000 },
    { ...KEYED, notBefore: NOW + 610_000 },
  ]);
  expect([left.taken, await files()]).toEqual([2, []]);
});

test('the file stays until every call of it outlives the one who took over', async () => {
  await record(CALL);
  isKept = false;
  await peer(() => true).look();
  expect(await files()).toHaveLength(1);
});

test('nothing is taken from a process that lives', async () => {
  await record(CALL);
  const left = peer();
  for (let looks = 0; looks < 20; looks += 1) await left.look();
  expect(settled).toEqual([]);
});

test('a process that cannot be seen has ended once its file did not change for twelve looks', async () => {
  await record(CALL);
  const left = peer(() => undefined);
  for (let looks = 0; looks < 12; looks += 1) await left.look();
  const [file = ''] = await files();
  await utimes(path.join(dataDir, UNANSWERED_FOLDER, file), 1, 1);
  for (let looks = 0; looks < 12; looks += 1) await left.look();
  expect(settled).toEqual([]);
  await left.look();
  expect(settled).toHaveLength(1);
});

test('a process that was taken for dead writes to a file of its own again', async () => {
  jest.useFakeTimers({ doNotFake: ['setImmediate', 'performance'] });
  const frozen = new UnansweredCalls(dataDir, fail);
  await peer(() => true).look();
  jest.advanceTimersByTime(5_000);
  jest.useRealTimers();
  frozen.record(CALL);
  await frozen.writing();
  await peer(() => true).look();
  expect(settled).toHaveLength(1);
  frozen.close();
});

test('a name shows whether its process lives, but not for another machine', async () => {
  expect(hasEnded(ownName())).toBe(false);
  expect(hasEnded('unknown-12345678')).toBeUndefined();
  expect(hasEnded(ownName().replace(/^\w+/, '00000000'))).toBeUndefined();
  const child = spawn(process.execPath, ['-e', '']);
  await once(child, 'exit');
  const [boot, namespace, , start] = ownName().split('-');
  expect(hasEnded(`${boot}-${namespace}-${child.pid}-${start}-1`)).toBe(true);
  // Another process that was given the same number since.
  expect(hasEnded(`${boot}-${namespace}-${process.pid}-1-1`)).toBe(true);
});
