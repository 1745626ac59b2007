import type pg from 'pg';
import type { StoredEvent } from './event-log.js';
import { isMilestone, type Wants } from './milestones.js';

/**
 * Rows derived from the log, which can be thrown away and built again. Money is never skipped: an
 * event that cannot be applied stops the projection until somebody has looked, for its account
 * alone (`damaged_account`), and altogether where it is the system's. That is an error of `apply`
 * which the database did not make, or one by which it refuses the data (class 22, 23 and 54).
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
  /**
   * Columns that rows of earlier programs lack, by table: one a table, null there.
   */
  readonly laterColumns?: Readonly<Record<string, string>>;
  /** Which events it wants; absent: all of them. Others are passed over unread. */
  readonly wants?: Wants;
  /**
   * Name of a projection that may have read the same events and kept what is wanted of them: where
   * one runner keeps up both, that one goes first.
   */
  readonly after?: string;
  /**
   * Writes what these events change through `client`, inside the transaction that also moves the
   * checkpoints, and reads and writes nothing elsewhere but the log. The events come ordered by
   * lane, then position: several lanes at once, and of each lane all that are wanted since the last
   * call, others too where somebody has read them anyway. Called again with the same events when
   * the transaction failed.
   */
  apply(events: readonly StoredEvent[], client: pg.ClientBase): Promise<void>;
  /**
   * The same for whoever follows lanes from their first event: begins to collect what the events
   * change, so that a row is written once for many of them and none has to be read. Rows of these
   * lanes must not be there yet.
   */
  collect?(): RowChanges;
}

/** Thrown by `apply` for an event that it cannot apply and has read itself. */
export class UnappliedEventError extends Error {
  override readonly name = 'UnappliedEventError';
  constructor(
    readonly event: StoredEvent,
    override readonly cause: unknown,
  ) {
    super(`Event ${event.position} of lane ${event.lane} cannot be applied: ${String(cause)}`);
  }
}

/** Changes of rows by events, not yet written. */
export interface RowChanges {
  /** How many rows are to be written. */
  readonly size: number;
  /** Takes the next event, in the order of its lane. */
  add(event: StoredEvent): void;
  /** Writes what was collected, as `apply` does. The events that come later go on from there. */
  write(client: pg.ClientBase): Promise<void>;
}

/** Changes of any projection, to be written at the latest when there are many. */
export function collectChanges(projection: Projection): RowChanges {
  return projection.collect?.() ?? new EventsToApply(projection);
}

class EventsToApply implements RowChanges {
  private events: StoredEvent[] = [];

  constructor(private readonly projection: Projection) {}

  get size(): number {
    return this.events.length;
  }

  add(event: StoredEvent): void {
    if (this.projection.wants === undefined || isMilestone(event)) this.events.push(event);
  }

  async write(client: pg.ClientBase): Promise<void> {
    const { events } = this;
    this.events = [];
    if (events.length > 0) await this.projection.apply(events, client);
  }
}
