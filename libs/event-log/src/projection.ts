import type pg from 'pg';
import type { StoredEvent } from './event-log.js';

/**
 * Rows derived from the log, which can be thrown away and built again. Money is never skipped: an
 * error of `apply` that is no outage stops the projection until somebody has looked.
 */
export interface Projection {
  /** Name of its checkpoints. For ever: another name is another projection. */
  readonly name: string;
  /** Counted up when rows of the version before can no longer be continued. */
  readonly version: number;
  /**
   * Tables that it alone writes, without their schema. Each has a primary key and a column `lane`,
   * and the rows of a lane follow from the events of that lane alone, so that lanes can be built
   * side by side and compared one by one.
   */
  readonly tables: readonly string[];
  /** Types of the events that it wants, all unless given. Others are passed over unread. */
  readonly types?: readonly string[];
  /**
   * Writes what these events change through `client`, inside the transaction that also moves the
   * checkpoints, and reads and writes nothing elsewhere. The events come ordered by lane, then
   * position: several lanes at once, and of each lane all events since the last call, of other
   * `types` too where somebody has read them anyway. Called again with the same events when the
   * transaction failed.
   */
  apply(events: readonly StoredEvent[], client: pg.ClientBase): Promise<void>;
}
