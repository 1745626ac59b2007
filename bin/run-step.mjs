// One step of a set-up: a child process that works quietly and ends with this process.
import { spawn } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = path.resolve(path.dirname(fileURLToPath(import.meta.url)), '..');

const SHOWN_LINES_MAX = 40;
const TERMINAL_MS = 1_000;
/** Of a pipe or a file, where each report stays as a line. */
const FILE_MS = 15_000;
/** npm works on after a signal; the next start installs again, whatever is left. */
const ENDED_MS = 3_000;
const CLEAR_LINE = '\r\u001b[K';

/** Reports how long the step takes, and how far it is, until it is stopped. */
function reportProgress(what, started, countDone) {
  const { stderr } = process;
  const line = () => {
    const seconds = Math.round((Date.now() - started) / 1_000);
    return `${what}: ${countDone === undefined ? '' : `${countDone()}, `}${seconds} s`;
  };
  stderr.write(`${what} …${stderr.isTTY ? '' : '\n'}`);
  const report = stderr.isTTY
    ? () => stderr.write(`${CLEAR_LINE}${line()}`)
    : () => stderr.write(`${line()}\n`);
  const timer = setInterval(report, stderr.isTTY ? TERMINAL_MS : FILE_MS);
  return () => {
    clearInterval(timer);
    if (stderr.isTTY) stderr.write(CLEAR_LINE);
  };
}

/**
 * Runs a command in the project's folder. Throws when it fails, with what it printed, and once it
 * has ended after `interruption` was aborted. `countDone`: how far it is, as a text.
 *
 * The child is in a group of its own: Ctrl-C reaches this process alone, which waits for its end;
 * and a shell that is killed leaves no children behind.
 */
export async function runStep(what, command, args, { interruption, countDone, shell = false }) {
  if (interruption.aborted) throw new Error(`${what} was not begun.`);
  const started = Date.now();
  const stopReports = reportProgress(what, started, countDone);
  const output = [];
  const hasGroup = process.platform !== 'win32';
  const child = spawn(command, args, {
    cwd: root,
    stdio: ['ignore', 'pipe', 'pipe'],
    shell,
    detached: hasGroup,
  });
  const signalAll = (signal) => {
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
    if (hasGroup) process.kill(-child.pid, signal);
    else child.kill(signal);
  };
  const killAll = () => signalAll('SIGKILL');
  const onInterruption = () => {
    stopReports();
    process.stderr.write(`${what}: ending it …\n`);
    signalAll('SIGTERM');
    setTimeout(killAll, ENDED_MS).unref();
  };
  // Also for an end by a fault, or by a second signal.
  process.once('exit', killAll);
  interruption.addEventListener('abort', onInterruption);
  child.stdout.on('data', (chunk) => output.push(chunk));
  child.stderr.on('data', (chunk) => output.push(chunk));
  const [code, error] = await new Promise((resolve) => {
    child.once('error', (fault) => resolve([null, fault]));
    child.once('close', (exitCode) => resolve([exitCode]));
  });
  stopReports();
  process.removeListener('exit', killAll);
  interruption.removeEventListener('abort', onInterruption);
  if (interruption.aborted) {
    process.stderr.write(`${what} was interrupted; the next start does it again.\n`);
    throw new Error(`${what} was interrupted.`);
  }
  if (code !== 0) {
    const reason = error === undefined ? '' : `: ${error.message}`;
    const lines = Buffer.concat(output).toString('utf8').trimEnd().split('\n');
    throw new Error([...lines.slice(0, SHOWN_LINES_MAX), `${what} failed${reason}.`].join('\n'));
  }
  const seconds = ((Date.now() - started) / 1_000).toFixed(1);
  process.stderr.write(`${what}: done in ${seconds} s\n`);
}
