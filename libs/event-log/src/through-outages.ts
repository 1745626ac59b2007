import { isTransient } from '#database/errors.js';
import { Alarm, growingWaitMs } from './alarm.js';

export interface OutageOptions {
  /** Ends the waiting: the outage is thrown then. */
  readonly signal: AbortSignal;
  /** Called for each attempt that failed; another one follows. */
  readonly onOutage?: ((error: unknown) => void) | undefined;
}

const RETRY_FIRST_MS = 100;
const RETRY_MOST_MS = 5_000;

/**
 * Does a work again, after waits that grow up to 5 s, for as long as it fails with errors that may
 * heal by themselves. Throws every other error at once.
 */
export async function throughOutages<Result>(
  work: () => Promise<Result>,
  { signal, onOutage }: OutageOptions,
): Promise<Result> {
  const alarm = new Alarm();
  const ring = (): void => alarm.ring();
  signal.addEventListener('abort', ring);
  try {
    for (let failures = 1; ; failures++) {
      try {
        return await work();
      } catch (error) {
        if (signal.aborted || !isTransient(error)) throw error;
        onOutage?.(error);
        await alarm.wait(growingWaitMs(failures, RETRY_FIRST_MS, RETRY_MOST_MS));
      }
    }
  } finally {
    signal.removeEventListener('abort', ring);
  }
}
