import { setTimeout as delay } from 'node:timers/promises';

/** The question may cost as much as the measured work. */
const POLL_MS = 100;
const MOST_MS = 600_000;

/** Resolves once the condition holds. Throws when that takes ten minutes. */
export async function untilTrue(condition: () => Promise<boolean>): Promise<void> {
  const until = performance.now() + MOST_MS;
  while (!(await condition())) {
    if (performance.now() > until) throw new Error('What was waited for did not happen.');
    await delay(POLL_MS);
  }
}
