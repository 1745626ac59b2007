import type { StoredEvent } from './event-log.js';
import type { Fold } from './fold.js';

/** The whole stream, for tests alone: another list after each event. */
export const EVERY_EVENT: Fold<readonly StoredEvent[]> = {
  initial: () => [],
  evolve: (events, event) => [...events, event],
};
