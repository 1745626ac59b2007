// npm test [-- jest's arguments]: set up what is missing, run the tests, close with one line.
// With --long (npm run test:long) every variant of rare faults is tried, too.
import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { root, setUp } from './set-up.mjs';
import { ENDING_SIGNALS } from './setup-lock.mjs';

// Whatever ends this process, a set-up that failed included, the closing line is the last one.
let closingLine = '0 passed, 1 failed';
process.once('exit', () => process.stdout.write(`${closingLine}\n`));

process.chdir(root);
await setUp();

const folder = mkdtempSync(path.join(tmpdir(), 'popindex-test-result-'));
const resultFile = path.join(folder, 'result.json');

function reportedCounts() {
  try {
    return JSON.parse(readFileSync(resultFile, 'utf8'));
  } catch {
    return { passed: 0, failed: 0 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A failed run without a failed test (none found, a broken set-up) must not read as a pass. */
function closingLineOf(exitCode) {
  const { passed, failed } = reportedCounts();
  return `${passed} passed, ${exitCode === 0 ? failed : Math.max(failed, 1)} failed`;
}

// Jest hands these on to its workers: in so much room most of what a spec makes is gone before the
// garbage is collected.
const YOUNG = ['--min-semi-space-size=16', '--max-semi-space-size=64'];
const jest = path.join(root, 'node_modules', 'jest', 'bin', 'jest.js');
const LONG = '--long';
const given = process.argv.slice(2);
const isLong = given.includes(LONG);
const reporters = ['default', path.join(root, 'test', 'setup', 'closing-line-reporter.cjs')];
const child = spawn(
  process.execPath,
  [
    ...YOUNG,
    jest,
    ...given.filter((argument) => argument !== LONG),
    // Last, because jest takes every plain argument after such an option for one more reporter.
    ...reporters.map((name) => `--reporters=${name}`),
  ],
  {
    stdio: 'inherit',
    env: { ...process.env, TEST_RESULT_FILE: resultFile, ...(isLong && { TEST_LONG: 'true' }) },
  },
);
for (const signal of ENDING_SIGNALS) process.on(signal, () => child.kill(signal));
child.once('close', (code, signal) => {
  const exitCode = code ?? 128 + (constants.signals[signal] ?? 1);
  closingLine = closingLineOf(exitCode);
  process.exitCode = exitCode;
});
