import { setTimeout as pause } from 'node:timers/promises';

/** Resolves once the condition holds; fails, naming what was waited for, when it takes too long. */
export async function waitFor(
  what: string,
  condition: () => boolean | Promise<boolean>,
  timeoutMs = 10_000,
): Promise<void> {
  const until = performance.now() + timeoutMs;
  while (!(await condition())) {
    if (performance.now() > until) throw new Error(`Waited ${timeoutMs} ms in vain: ${what}.`);
    await pause(5);
  }
}
