import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { waitFor } from '../setup/wait-for.js';

const moduleOf = (name: string): string =>
  pathToFileURL(path.resolve(__dirname, '../../bin', name)).href;

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'popindex-step-'));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A set-up of one step, which runs a script of Node.js. */
function setUpWith(script: string): ChildProcess {
  const program = `
    import { withSetupLock } from '${moduleOf('setup-lock.mjs')}';
    import { runStep } from '${moduleOf('run-step.mjs')}';
    await withSetupLock(${JSON.stringify(file('lock'))}, () => undefined, (interruption) =>
      runStep('Installing', process.execPath, ['-e', ${JSON.stringify(script)}], {
        interruption,
        countDone: () => '3 of 5 packages',
      }),
    );`;
  return spawn(process.execPath, ['--input-type=module', '-e', program], { detached: true });
}

const file = (name: string): string => path.join(folder, name);

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

/** Works for ever, with a child of its own, as npm does; `onSignal`: what it does at SIGTERM. */
const WORKER = (onSignal: string): string => `
  const { spawn } = require('node:child_process');
  const { writeFileSync } = require('node:fs');
  process.on('SIGTERM', () => { ${onSignal} });
  const own = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)'], { stdio: 'ignore' });
  writeFileSync(${JSON.stringify(file('pids'))}, process.pid + ' ' + own.pid + ' ');
  setInterval(() => {}, 1000);`;

async function pidsOfWorker(): Promise<number[]> {
  await waitFor('the step works', () => existsSync(file('pids')));
  return readFileSync(file('pids'), 'utf8').trim().split(' ').map(Number);
}

test('Ctrl-C waits until all of the step has ended, and frees the way for the next start', async () => {
  const tidy = `writeFileSync(${JSON.stringify(file('tidied'))}, ''); process.exit(1)`;
  const setUp = setUpWith(WORKER(tidy));
  const pids = await pidsOfWorker();
  process.kill(-(setUp.pid ?? 0), 'SIGINT');
  expect(await once(setUp, 'close')).toEqual([130, null]);
  expect([existsSync(file('tidied')), existsSync(file('lock'))]).toEqual([true, false]);
  expect(pids).toHaveLength(2);
  await waitFor('nothing of the step is left', () => !pids.some(isAlive));
});

test('a second Ctrl-C ends a step that does not end', async () => {
  const setUp = setUpWith(WORKER(`writeFileSync(${JSON.stringify(file('deaf'))}, '')`));
  const pids = await pidsOfWorker();
  setUp.kill('SIGINT');
  await waitFor('the step has taken the first', () => existsSync(file('deaf')));
  setUp.kill('SIGINT');
  expect(await once(setUp, 'close')).toEqual([130, null]);
  await waitFor('nothing of the step is left', () => !pids.some(isAlive));
});

test('a step that fails shows what it printed', async () => {
  const setUp = setUpWith(`console.error('no room left'); process.exit(4);`);
  let errors = '';
  setUp.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  expect(await once(setUp, 'close')).toEqual([1, null]);
  expect(errors).toMatch(/^Installing …\n[^]*no room left\nInstalling failed\.\n/);
});
