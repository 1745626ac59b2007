import type pg from 'pg';
import { queryAllLanes } from '#event-log/query-by-lane.js';
import type { SystemStream } from '#event-log/system-stream.js';
import { closedThrough, PERIODS, type Period } from '#projections/events/period-events.js';
import { problem, ProblemException } from '#web/problem.js';
import { underLease, underSharedLease } from './lease.js';

const MONTH_LENGTH = '2026-11'.length;

/** Accounting periods: closing one, and stating a date in it, exclude each other. */
export class Periods {
  /**
   * `pool`: lends the connection that holds the lease while others do the work; it is not the pool
   * of that work, so that leases never wait for each other's work.
   */
  constructor(
    private readonly pool: pg.Pool,
    private readonly system: Pick<SystemStream, 'read'>,
  ) {}

  /** Months that were closed, oldest first. */
  read(): Promise<readonly Period[]> {
    return this.system.read(PERIODS);
  }

  /** Does what has a stated date while no period is closed. */
  dating<Result>(work: () => Promise<Result>): Promise<Result> {
    return underSharedLease(this.pool, 'periods', work);
  }

  /** Throws a ProblemException: `conflict` for a date, `2026-11-24`, in a closed period. */
  async refuseClosed(date: string): Promise<void> {
    const closed = closedThrough(await this.read());
    if (closed === null || date.slice(0, MONTH_LENGTH) > closed) return;
    const detail = `The books are closed up to the end of ${closed}: state a later date.`;
    throw new ProblemException(problem('conflict', detail));
  }

  /** Closes or reopens while nothing is dated. */
  changing<Result>(work: () => Promise<Result>): Promise<Result> {
    return underLease(this.pool, 'periods', async (client) => {
      await appendsEnded(client);
      return work();
    });
  }
}

/**
 * Waits for the appends under way. A process that was killed holds no lease any more, but the
 * server may still run its statement, which has locked its lanes. Nothing stays locked.
 */
async function appendsEnded(client: pg.ClientBase): Promise<void> {
  await client.query('savepoint appends');
  await queryAllLanes(client, {
    text: `select lane from lane l order by lane for update`,
  });
  await client.query('rollback to savepoint appends');
}
