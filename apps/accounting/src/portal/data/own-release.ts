import type { AccountState } from '#account/state.js';
import type { Release, Releases } from '#popularity/releases.js';

/**
 * The release that serves an account in a window: a test account keeps the one that it has called
 * there first, and before the first release begins it is served that one.
 */
export function releaseFor(
  releases: Pick<Releases, 'serving' | 'first' | 'byLabel'>,
  { testClock, pins }: Pick<AccountState, 'testClock' | 'pins'>,
  window: string,
): Release | undefined {
  if (testClock === null) return releases.serving(window);
  const pinned = pins[window];
  if (pinned !== undefined) return releases.byLabel(pinned);
  return releases.serving(window) ?? releases.first();
}
