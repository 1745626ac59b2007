import { setTimeout as delay } from 'node:timers/promises';

const POLL_MS = 20;

/** Polls until the condition holds; false when it does not within `timeoutMs`. */
export async function waitUntil(condition: () => boolean, timeoutMs: number): Promise<boolean> {
  const deadline = performance.now() + timeoutMs;
  while (!condition()) {
    if (performance.now() >= deadline) return false;
    await delay(POLL_MS);
  }
  return true;
}
