import { ConnectionError, ProblemError } from './problem-error.js';

const FIRST_WAIT_MS = 250;

/** Statuses of temporary refusals: the rate is too high, or the service is away for a moment. */
const PASSING = new Set([429, 502, 503, 504]);

/**
 * How long to wait before a request is sent again, in ms; null: it would be in vain. The service's
 * `Retry-After` counts, else each wait is twice as long as the one before.
 */
export function retryDelayMs(thrown: unknown, attempt: number, nowMs = Date.now()): number | null {
  const isProblem = thrown instanceof ProblemError;
  if (!isProblem && !(thrown instanceof ConnectionError)) return null;
  if (isProblem && !PASSING.has(thrown.status)) return null;
  const asked = isProblem ? retryAfterMs(thrown.headers, nowMs) : null;
  if (asked !== null) return asked;
  // Clients that lost their connections together do not come back together.
  return FIRST_WAIT_MS * 2 ** (attempt - 1) * (0.5 + Math.random());
}

/** `Retry-After` in ms: seconds or a date; null: there is none. */
export function retryAfterMs(headers: Headers, nowMs = Date.now()): number | null {
  const text = headers.get('retry-after');
  if (text === null || text === '') return null;
  const seconds = Number(text);
  if (Number.isFinite(seconds)) return Math.max(0, seconds * 1_000);
  const date = Date.parse(text);
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}

/** Rejects with the reason of the signal as soon as it is aborted. */
export function delay(ms: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    signal?.throwIfAborted();
    const end = (finish: () => void): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
      finish();
    };
    const abort = (): void => end(() => reject(signal?.reason as Error));
    const timer = setTimeout(() => end(resolve), ms);
    signal?.addEventListener('abort', abort);
  });
}
