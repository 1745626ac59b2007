import { setTimeout as pause } from 'node:timers/promises';

/** Resolves once the condition holds; fails, naming what was waited for, when it takes too long. */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 60_000,
): Promise<void> {
  const from = performance.now();
  while (!(await condition())) {
    const waitedMs = performance.now() - from;
    if (waitedMs > timeoutMs) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}.`);
    // Looking costs what is waited for its processor: the longer it takes, the less often.
    await pause(Math.min(5 + waitedMs / 20, 100));
  }
}
