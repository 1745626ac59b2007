import { readFileSync } from 'node:fs';
import { constants } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { Shutdown } from './shutdown.js';
import { startupLines } from './startup-error.js';

/** Signals that end a process in order. SIGHUP: its terminal was closed. */
export const ENDING_SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** npm passes a terminal's Ctrl-C on to a process that got it already: that is one signal. */
const SAME_SIGNAL_MS = 1_000;
const PARENT_POLL_MS = 250;
/** V8 by itself lets an old space grow to three or four times of what lives in it. */
const HEAP_GROWING = '--heap-growing-percent=50';

function complain(line: string): void {
  process.stderr.write(`${line}\n`);
}

/** The fault that ends a service, as one line of its log. */
function faultLine(name: string, error: unknown): string {
  const { name: type, message, stack } = error instanceof Error ? error : new Error(String(error));
  const time = new Date().toISOString();
  const msg = 'A fault ends the process.';
  return JSON.stringify({
    level: 'fatal',
    time,
    process: name,
    pid: process.pid,
    err: { type, message, stack },
    msg,
  });
}

/** `isLogged`: what the process writes is its log, which programs read. */
function report(name: string, error: unknown, isLogged: boolean): void {
  const lines = startupLines(error);
  if (lines !== undefined) return complain(lines);
  if (isLogged) return complain(faultLine(name, error));
  complain(`${name}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
}

/** Ends the process with this code once everything is stopped. */
async function end(shutdown: Shutdown, exitCode: number, cause: string): Promise<never> {
  await shutdown.run(cause);
  process.exit(exitCode);
}

/** Nobody reads on after a terminal is closed. To write there must not end an orderly stop. */
function writeToNobody(shutdown: Shutdown): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error) => {
      if (!shutdown.hasBegun) throw error;
    });
  }
}

function endOnSignals(shutdown: Shutdown, exitCodeOf: (signal: NodeJS.Signals) => number): void {
  let firstAt: number | undefined;
  const onSignal = (signal: NodeJS.Signals) => {
    firstAt ??= performance.now();
    if (!shutdown.hasBegun) return void end(shutdown, exitCodeOf(signal), signal);
    if (performance.now() - firstAt < SAME_SIGNAL_MS) return;
    complain(`A second ${signal}: ending at once.`);
    process.exit(1);
  };
  for (const signal of ENDING_SIGNALS) process.on(signal, onSignal);
}

/** npm ends without passing a signal on: what it had started would serve on, owned by nobody. */
function endWithNpm(shutdown: Shutdown): void {
  if (process.env.npm_lifecycle_event === undefined) return;
  const parent = process.ppid;
  const npm = parentOfShell(parent);
  const watch = setInterval(() => {
    const gone = process.ppid !== parent || (npm !== undefined && !isAlive(npm));
    if (gone && !shutdown.hasBegun) void end(shutdown, 0, 'the end of npm');
  }, PARENT_POLL_MS);
  watch.unref();
}

/** Some shells stay between npm and its script, and outlive it. Known on Linux alone. */
function parentOfShell(pid: number): number | undefined {
  try {
    const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
    const name = stat.slice(stat.indexOf('(') + 1, stat.lastIndexOf(')'));
    const [, parent] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return /^(?:sh|dash|bash|ash)$/.test(name) ? Number(parent) : undefined;
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function endOnFatal(name: string, shutdown: Shutdown, isLogged: boolean): void {
  const fatal = (error: unknown) => {
    report(name, error, isLogged);
    void end(shutdown, 1, 'a fault');
  };
  process.on('uncaughtException', fatal);
  process.on('unhandledRejection', fatal);
}

/**
 * Runs a server's main. `start` registers at `shutdown` how to end each thing right after it has
 * begun, and returns while the process serves on. SIGTERM, SIGINT and SIGHUP end it within 15
 * seconds with exit code 0, a second one at once; so does the end of the npm that started it. An
 * expected fault of the start is printed as its line, a bug with its stack, as a line of the log
 * but for a terminal; both stop what had begun and exit with 1.
 */
export function runMain(name: string, start: (shutdown: Shutdown) => Promise<void>): Promise<void> {
  // It holds for every thread of the process.
  setFlagsFromString(HEAP_GROWING);
  return run(name, start, () => 0, !process.stderr.isTTY);
}

async function run(
  name: string,
  start: (shutdown: Shutdown) => Promise<void>,
  exitCodeOf: (signal: NodeJS.Signals) => number,
  isLogged: boolean,
): Promise<void> {
  const shutdown = new Shutdown((line) => complain(`${name}: ${line}`));
  writeToNobody(shutdown);
  endOnSignals(shutdown, exitCodeOf);
  endWithNpm(shutdown);
  endOnFatal(name, shutdown, isLogged);
  try {
    await start(shutdown);
  } catch (error) {
    // What a start meets while it is being stopped is the stop's doing.
    if (shutdown.hasBegun) return;
    report(name, error, isLogged);
    await end(shutdown, 1, 'a fault of the start');
  }
}

/**
 * Runs a command's main like a server's; when `work` is done, its exit code ends the process. One
 * that a signal interrupts has not done its work, and ends with 128 and the signal's number.
 */
export function runCommand(
  name: string,
  work: (shutdown: Shutdown) => Promise<number>,
): Promise<void> {
  const interrupted = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];
  const start = async (shutdown: Shutdown): Promise<void> => {
    const exitCode = await work(shutdown);
    if (!shutdown.hasBegun) await end(shutdown, exitCode, 'the work is done');
  };
  return run(name, start, interrupted, false);
}
