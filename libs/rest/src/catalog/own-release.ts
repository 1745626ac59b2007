import type { AccountState } from '#account/state.js';
import type { Release, Releases } from '#popularity/releases.js';

/**
 * The release that serves an account in a window: one with a test clock keeps the release that it
 * has called there first, and before the first release begins every test account is served that
 * one.
 */
export function releaseFor(
  releases: Pick<Releases, 'serving' | 'first' | 'byLabel'>,
  { test, testClock, pins }: Pick<AccountState, 'test' | 'testClock' | 'pins'>,
  window: string,
): Release | undefined {
  const pinned = testClock === null ? undefined : pins[window];
  if (pinned !== undefined) return releases.byLabel(pinned);
  return releases.serving(window) ?? (test ? releases.first() : undefined);
}
