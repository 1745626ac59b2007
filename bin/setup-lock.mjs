// Two starts at once must not install or build into the same folders.
import { randomUUID } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

/** SIGHUP: the terminal was closed. */
export const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const BEAT_MS = 1_000;
const STALE_MS = 15_000;
const POLL_MS = 100;

function create(file, content) {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error.code === 'EEXIST') return false;
    throw error;
  }
}

function ageMs(file) {
  const made = statSync(file, { throwIfNoEntry: false });
  return made === undefined ? 0 : Date.now() - made.mtimeMs;
}

/** Only one of several waiters can move the file; whoever moved a living one puts it back. */
function removeStale(file) {
  const aside = `${file}.${randomUUID()}`;
  try {
    renameSync(file, aside);
    if (ageMs(aside) < STALE_MS) create(file, readFileSync(aside, 'utf8'));
  } catch (error) {
    if (error.code !== 'ENOENT') throw error;
  }
  rmSync(aside, { force: true });
}

/**
 * Runs `work` while this process alone holds `file`, whose time of change is its heartbeat. A
 * signal aborts what `work` is given, and ends the process once `work` has ended; a second one ends
 * it at once.
 */
export async function withSetupLock(file, onWait, work) {
  mkdirSync(path.dirname(file), { recursive: true });
  const content = `${process.pid} ${randomUUID()}`;
  for (let waited = false; !create(file, content); waited = true) {
    if (!waited) onWait();
    if (ageMs(file) > STALE_MS) removeStale(file);
    else await delay(POLL_MS);
  }
  const beat = setInterval(() => utimesSync(file, new Date(), new Date()), BEAT_MS);
  const release = () => rmSync(file, { force: true });
  const interruption = new AbortController();
  const quit = (signal) => {
    if (interruption.signal.aborted) endBy(signal);
    // A closed terminal takes no line any more.
    process.stderr.on('error', () => undefined);
    interruption.abort(signal);
  };
  process.once('exit', release);
  for (const signal of ENDING_SIGNALS) process.on(signal, quit);
  try {
    return await work(interruption.signal);
  } finally {
    if (interruption.signal.aborted) endBy(interruption.signal.reason);
    clearInterval(beat);
    process.removeListener('exit', release);
    for (const signal of ENDING_SIGNALS) process.removeListener(signal, quit);
    release();
  }
}

function endBy(signal) {
  process.exit(128 + constants.signals[signal]);
}
