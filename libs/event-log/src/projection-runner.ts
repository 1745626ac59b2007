import type pg from 'pg';
import type { Projection } from './projection.js';
import { ProjectionPositions } from './projection-positions.js';
import { ProjectionLoop, type LoopOptions, type LoopState } from './projection-loop.js';
import { SharedPoll } from './shared-poll.js';

export type RunnerOptions = Partial<Omit<LoopOptions, 'onProgress'>>;

export interface ProjectionStatus {
  readonly name: string;
  readonly version: number;
  /** `failed`: stopped by `error` until somebody has looked. */
  readonly state: LoopState;
  readonly error: unknown;
}

/**
 * Keeps projections up with the log. Any number of processes may run the same ones: each
 * transaction holds the checkpoints that it moves, so every event takes effect exactly once, in the
 * order of its lane. Whatever the database refuses is tried again. An event that cannot be applied
 * damages its account, and one of the system stops the projection, that one alone, loudly.
 */
export class ProjectionRunner {
  private readonly loops: readonly ProjectionLoop[];
  private readonly reached: ProjectionPositions;

  constructor(pool: pg.Pool, projections: readonly Projection[], options: RunnerOptions = {}) {
    const { eventsMax = 5_000, pollMs = 100, retryFirstMs = 100, retryMostMs = 5_000 } = options;
    const onError = options.onError ?? ((): void => undefined);
    const onStartOver = options.onStartOver ?? ((): void => undefined);
    const onState = options.onState ?? ((): void => undefined);
    const names = projections.map(({ name }) => name);
    this.reached = new ProjectionPositions(pool, names, () => this.wake());
    const onProgress = (): void => this.reached.moved();
    const waits = { pollMs, retryFirstMs, retryMostMs };
    const loop = { eventsMax, ...waits, onStartOver, onError, onState, onProgress };
    const loops = new Map<string | undefined, ProjectionLoop>();
    const looks = new Map<string | undefined, SharedPoll>();
    for (const projection of projections) {
      const { name, after, wants } = projection;
      const shared = wants && (looks.get(wants.name) ?? new SharedPoll(pool));
      if (shared !== undefined) looks.set(wants?.name, shared);
      loops.set(name, new ProjectionLoop(pool, projection, loop, loops.get(after), shared));
    }
    this.loops = [...loops.values()];
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
  lag(): Promise<Map<string, number>> {
    return this.reached.lag();
  }

  /**
   * Waits until a projection has applied each of these lanes (lane → position), whichever process
   * does it. Answers false when `timeoutMs` pass before.
   */
  catchUp(
    projection: string,
    positions: ReadonlyMap<number, number>,
    timeoutMs: number,
  ): Promise<boolean> {
    return this.reached.catchUp(projection, positions, timeoutMs);
  }
}
