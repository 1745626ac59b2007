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
    import { withSetupLock } from '${lockModule}';
    const write = (word) => appendFileSync('journal', word + '\\n');
    await withSetupLock('lock', () => write('waits'), async () => {
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

test('a set-up that fails or is interrupted leaves the way free', async () => {
  expect(await worker('process.exit(3);')).toBe(3);
  expect(await worker(`process.kill(process.pid, 'SIGTERM'); await new Promise(() => {});`)).toBe(
    130,
  );
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
