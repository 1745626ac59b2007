import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const lockModule = pathToFileURL(path.resolve(__dirname, '../../bin/setup-lock.mjs')).href;
let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'popindex-lock-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A process that writes "in", works for a moment, and writes "out" while it holds the lock. */
async function worker(ending = ''): Promise<number | null> {
  const script = `
    import { appendFileSync } from 'node:fs';
    import { once } from 'node:events';
    import { withSetupLock } from '${lockModule}';
    const write = (word) => appendFileSync('journal', word + '\\n');
    await withSetupLock('lock', () => write('waits'), async (interruption) => {
      write('in');
      await new Promise((resolve) => setTimeout(resolve, 50));
      write('out');
      ${ending}
    });`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', script], { cwd: folder });
  const [code] = (await once(child, 'close')) as [number | null];
  return code;
}

function journal(): string[] {
  const lines = readFileSync(path.join(folder, 'journal'), 'utf8').trim().split('\n');
  return lines.filter((line) => line !== 'waits');
}

test('starts at the same moment set up one after the other', async () => {
  expect(await Promise.all([worker(), worker(), worker(), worker()])).toEqual([0, 0, 0, 0]);
  expect(journal()).toEqual(Array.from({ length: 4 }, () => ['in', 'out']).flat());
});

test('a set-up that fails leaves the way free', async () => {
  expect(await worker('process.exit(3);')).toBe(3);
  expect(existsSync(path.join(folder, 'lock'))).toBe(false);
});

test.each([
  ['SIGINT', 130],
  ['SIGTERM', 143],
  ['SIGHUP', 129],
])('a set-up that %s interrupts is ended first, and leaves the way free', async (signal, code) => {
  const interrupted = `
    setTimeout(() => process.kill(process.pid, '${signal}'), 10);
    const keepsAlive = setTimeout(() => {}, 60_000);
    await once(interruption, 'abort');
    clearTimeout(keepsAlive);
    write('ended');`;
  expect(await worker(interrupted)).toBe(code);
  expect(journal()).toEqual(['in', 'out', 'ended']);
  expect(existsSync(path.join(folder, 'lock'))).toBe(false);
});

test('a lock whose heartbeat has stopped is taken over, by one of those who find it', async () => {
  const lock = path.join(folder, 'lock');
  writeFileSync(lock, 'killed');
  const aMinuteAgo = new Date(Date.now() - 60_000);
  utimesSync(lock, aMinuteAgo, aMinuteAgo);
  expect(await Promise.all([worker(), worker(), worker()])).toEqual([0, 0, 0]);
  expect(journal()).toEqual(Array.from({ length: 3 }, () => ['in', 'out']).flat());
});
