// npm test [-- jest's arguments]: set up what is missing, run the tests, close with one line.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { root, setUp } from './set-up.mjs';

process.chdir(root);
await setUp();

const folder = mkdtempSync(path.join(tmpdir(), 'popindex-test-result-'));
const resultFile = path.join(folder, 'result.json');

/** The reporter writes the counts, and they are printed when all else has been. */
function counts(exitCode) {
  try {
    return JSON.parse(readFileSync(resultFile, 'utf8'));
  } catch {
    return { passed: 0, failed: exitCode === 0 ? 0 : 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const reporters = ['default', path.join(root, 'test', 'setup', 'closing-line-reporter.cjs')];
const child = spawn(
  process.execPath,
  // Last, because jest takes every plain argument after such an option for one more reporter.
  [jest, ...process.argv.slice(2), ...reporters.map((name) => `--reporters=${name}`)],
  { stdio: 'inherit', env: { ...process.env, TEST_RESULT_FILE: resultFile } },
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => child.kill(signal));
child.once('close', (code, signal) => {
  const exitCode = code ?? 128 + (constants.signals[signal] ?? 1);
  const { passed, failed } = counts(exitCode);
  process.stdout.write(`${passed} passed, ${failed} failed\n`);
  process.exitCode = exitCode;
});
