import { Alarm, growingWaitMs } from './alarm.js';
import { LogUnavailableError, type EventLog, type StoredEvent } from './event-log.js';

export interface FollowOptions {
  /** Ends the following: after the page under way, without another one. */
  readonly signal: AbortSignal;
  /** How long to wait when there is nothing new, 200 ms by default. */
  readonly pollMs?: number;
  /** Most events handed over at once, 1,000 by default. */
  readonly pageSize?: number;
  /** Called each time that the log does not answer; the follower goes on by itself. */
  readonly onOutage?: (error: LogUnavailableError) => void;
}

const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 5_000;

/**
 * Hands every event of a lane after a position to `onEvents`, in order, each once, page by page,
 * and goes on with what is appended later until the signal aborts. Answers the last position handed
 * over. An outage of the log is waited out; an error of `onEvents` ends the following with it.
 */
export async function followLane(
  log: EventLog,
  lane: number,
  after: number,
  onEvents: (events: readonly StoredEvent[]) => void | Promise<void>,
  options: FollowOptions,
): Promise<number> {
  const { signal, pollMs = 200, pageSize = 1_000, onOutage } = options;
  const alarm = new Alarm();
  const ring = (): void => alarm.ring();
  signal.addEventListener('abort', ring);
  let position = after;
  let failures = 0;
  try {
    while (!signal.aborted) {
      const page = await readPage(log, lane, position, pageSize);
      if (page instanceof LogUnavailableError) {
        failures += 1;
        onOutage?.(page);
        await alarm.wait(growingWaitMs(failures, RETRY_FIRST_MS, RETRY_MOST_MS));
        continue;
      }
      failures = 0;
      if (page.length > 0 && !isAborted(signal)) {
        await onEvents(page);
        position += page.length;
      }
      if (page.length < pageSize) await alarm.wait(pollMs);
    }
  } finally {
    signal.removeEventListener('abort', ring);
  }
  return position;
}

async function readPage(
  log: EventLog,
  lane: number,
  after: number,
  limit: number,
): Promise<StoredEvent[] | LogUnavailableError> {
  try {
    const page = await log.read(lane, after, limit);
    const dense = page.every(({ position }, index) => position === after + index + 1);
    if (!dense) throw new Error(`Lane ${lane} has a gap after position ${after}.`);
    return page;
  } catch (error) {
    if (error instanceof LogUnavailableError) return error;
    throw error;
  }
}

/** The signal changes while a page is read, which the compiler cannot know. */
function isAborted(signal: AbortSignal): boolean {
  return signal.aborted;
}
