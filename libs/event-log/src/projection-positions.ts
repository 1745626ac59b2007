import type pg from 'pg';
import { isTransient } from '#database/errors.js';
import { Alarm } from './alarm.js';

const CATCH_UP_POLL_MS = 20;

/** How far projections have come, whichever process moves them on. */
export class ProjectionPositions {
  private readonly waiters = new Set<Alarm>();

  /** `wake`: makes the part that moves them on look at the log at once. */
  constructor(
    private readonly pool: pg.Pool,
    private readonly names: readonly string[],
    private readonly wake: () => void,
  ) {}

  /** One of them has moved on: those who wait look again at once. */
  moved(): void {
    this.waiters.forEach((waiter) => waiter.ring());
  }

  /** How many events each projection is behind the log, over all lanes. */
  async lag(): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ name: string; behind: number }>({
      name: 'projection-lag',
      text: `select p.name, sum(l.position - coalesce(c.position, 0))::int8 as behind
               from unnest($1::text[]) as p (name) cross join lane l
               left join checkpoint c on c.projection = p.name and c.lane = l.lane
              group by p.name`,
      values: [this.names],
    });
    return new Map(rows.map(({ name, behind }) => [name, behind]));
  }

  /**
   * Waits until a projection has applied each of these lanes (lane → position), whichever process
   * does it. Answers false when `timeoutMs` pass before.
   */
  async catchUp(
    projection: string,
    positions: ReadonlyMap<number, number>,
    timeoutMs: number,
  ): Promise<boolean> {
    const until = performance.now() + timeoutMs;
    const waiter = new Alarm();
    this.waiters.add(waiter);
    try {
      this.wake();
      while (!(await this.hasReached(projection, positions))) {
        const leftMs = until - performance.now();
        if (leftMs <= 0) return false;
        await waiter.wait(Math.min(leftMs, CATCH_UP_POLL_MS));
      }
      return true;
    } finally {
      this.waiters.delete(waiter);
    }
  }

  private async hasReached(
    projection: string,
    positions: ReadonlyMap<number, number>,
  ): Promise<boolean> {
    try {
      const { rows } = await this.pool.query<{ lane: number; position: number }>({
        name: 'projection-reached',
        text: 'select lane, position from checkpoint where projection = $1 and lane = any ($2)',
        values: [projection, [...positions.keys()]],
      });
      const reached = new Map(rows.map(({ lane, position }) => [lane, position]));
      return [...positions].every(([lane, position]) => (reached.get(lane) ?? 0) >= position);
    } catch (error) {
      if (!isTransient(error)) throw error;
      return false;
    }
  }
}
