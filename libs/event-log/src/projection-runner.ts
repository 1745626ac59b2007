import type pg from 'pg';
import { isTransient } from '#database/errors.js';
import { Alarm } from './alarm.js';
import type { Projection } from './projection.js';
import { ProjectionLoop, type LoopOptions, type LoopState } from './projection-loop.js';

export type RunnerOptions = Partial<Omit<LoopOptions, 'onProgress'>>;

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** `failed`: stopped by `error` until somebody has looked. */
  readonly state: LoopState;
  readonly error: unknown;
}

const CATCH_UP_POLL_MS = 20;

/**
 * Keeps projections up with the log. Any number of processes may run the same ones: each
 * transaction holds the checkpoints that it moves, so every event takes effect exactly once, in the
 * order of its lane. A lost connection is waited out; any other error stops that projection alone,
 * loudly.
 */
export class ProjectionRunner {
  private readonly loops: readonly ProjectionLoop[];
  private readonly waiters = new Set<Alarm>();

  constructor(
    private readonly pool: pg.Pool,
    projections: readonly Projection[],
    options: RunnerOptions = {},
  ) {
    const { eventsMax = 2_000, pollMs = 100, retryFirstMs = 100, retryMostMs = 5_000 } = options;
    const onError = options.onError ?? ((): void => undefined);
    const onProgress = (): void => this.waiters.forEach((waiter) => waiter.ring());
    const loop = { eventsMax, pollMs, retryFirstMs, retryMostMs, onError, onProgress };
    this.loops = projections.map((projection) => new ProjectionLoop(pool, projection, loop));
  }

  /** Begins in the background; what stopped or failed begins again. */
  start(): void {
    this.loops.forEach((loop) => loop.start());
  }

  /** Resolves when the transactions under way are finished. */
  async stop(): Promise<void> {
    await Promise.all(this.loops.map((loop) => loop.stop()));
  }

  /** Something was appended: look at once instead of at the next poll. */
  wake(): void {
    this.loops.forEach((loop) => loop.wake());
  }

  status(): ProjectionStatus[] {
    return this.loops.map(({ projection: { name, version }, state, error }) => ({
      name,
      version,
      state,
      error,
    }));
  }

  /** How many events each projection is behind the log, over all lanes. */
  async lag(): Promise<Map<string, number>> {
    const { rows } = await this.pool.query<{ name: string; behind: number }>({
      name: 'projection-lag',
      text: `select p.name, sum(l.position - coalesce(c.position, 0))::int8 as behind
               from unnest($1::text[]) as p (name) cross join lane l
               left join checkpoint c on c.projection = p.name and c.lane = l.lane
              group by p.name`,
      values: [this.loops.map(({ projection }) => projection.name)],
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
      const { rowCount } = await this.pool.query({
        name: 'projection-reached',
        text: `select from unnest($2::int2[], $3::int8[]) as wanted (lane, position)
                 left join checkpoint c on c.projection = $1 and c.lane = wanted.lane
                where coalesce(c.position, 0) < wanted.position limit 1`,
        values: [projection, [...positions.keys()], [...positions.values()]],
      });
      return rowCount === 0;
    } catch (error) {
      if (!isTransient(error)) throw error;
      return false;
    }
  }
}
