import type pg from 'pg';
import { ProjectionPositions } from '#event-log/projection-positions.js';
import type { Projection } from '#event-log/projection.js';
import type { ProjectionStatus } from '#event-log/projection-runner.js';
import { errorOf, type PlainError } from '#workers/plain-error.js';
import { HungError, ReplacedWorker } from '#workers/replaced-worker.js';
import { Thread } from '#workers/thread.js';
import type { PlainStatus, ProjectionFault, ProjectionThreadData } from './thread-messages.js';

export interface ProjectionThreadOptions {
  readonly databaseUrl: string;
  /** Billing zone. */
  readonly zone: string;
  /** Those of `allProjections`. */
  readonly projections: readonly Pick<Projection, 'name' | 'version'>[];
  /** Connections of this process, for questions about how far they are. */
  readonly pool: pg.Pool;
  /** Called for each outage (the projection goes on) and for the error that stops one. */
  readonly onError: (projection: string, error: unknown, fatal: boolean) => void;
  /** Called with lanes that ended before a projection's checkpoint: their rows are rebuilt. */
  readonly onStartOver: (projection: string, lanes: readonly number[]) => void;
  /** Called for each idle connection that was lost. */
  readonly onIdleError: (error: Error) => void;
  /** The program of the thread, the built one by default. */
  readonly program?: URL;
}

const PROGRAM = new URL('./projection-program.js', import.meta.url);
/** The garbage of a batch of events dies young, in a space that is large enough for it. */
const YOUNG_GENERATION_MB = 24;

/**
 * Keeps all projections up with the log in a thread of its own, as ProjectionRunner does: what they
 * take of a processor must not keep calls waiting. A thread that ends unasked has failed, like a
 * projection that met an error. One that hangs is replaced.
 */
export class ProjectionThread {
  private readonly worker: ReplacedWorker<Thread>;
  private states: readonly ProjectionStatus[];
  private readonly positions: ProjectionPositions;

  constructor(private readonly options: ProjectionThreadOptions) {
    const { pool, projections } = options;
    this.states = this.all('stopped');
    const names = projections.map(({ name }) => name);
    this.positions = new ProjectionPositions(pool, names, () => this.wake());
    this.worker = new ReplacedWorker({
      begin: (serving) => this.begin(serving),
      onEnded: (error) => this.fail(error),
    });
  }

  /** Begins in the background; what stopped or failed begins again. */
  start(): void {
    const { running } = this.worker;
    if (running !== undefined) return running.channel.notify('start', null);
    // Why it did not start is reported of each projection.
    this.worker.start().catch(() => undefined);
  }

  /** Resolves when the transactions under way are finished. */
  async stop(): Promise<void> {
    const { running } = this.worker;
    await this.worker.stop(({ channel }) => channel.notify('stop', null));
    if (running !== undefined) this.states = this.all('stopped');
  }

  /** Something was appended: look at once instead of at the next poll. */
  wake(): void {
    this.worker.running?.channel.notify('wake', null);
  }

  status(): readonly ProjectionStatus[] {
    return this.states;
  }

  /** How many events each projection is behind the log, over all lanes. */
  lag(): Promise<Map<string, number>> {
    return this.positions.lag();
  }

  /** As ProjectionRunner's. */
  catchUp(
    projection: string,
    positions: ReadonlyMap<number, number>,
    timeoutMs: number,
  ): Promise<boolean> {
    return this.positions.catchUp(projection, positions, timeoutMs);
  }

  private begin(serving: () => void): Thread {
    const {
      databaseUrl,
      zone,
      program = PROGRAM,
      onError,
      onIdleError,
      onStartOver,
    } = this.options;
    const data: ProjectionThreadData = { databaseUrl, zone };
    const thread = new Thread({
      program,
      data,
      youngGenerationMb: YOUNG_GENERATION_MB,
      answers: {
        serving,
        states: (states: readonly PlainStatus[]) => {
          this.states = states.map(statusOf);
        },
        fault: ({ projection, error, fatal }: ProjectionFault) =>
          onError(projection, errorOf(error), fatal),
        'started over': ([projection, lanes]: [string, readonly number[]]) =>
          onStartOver(projection, lanes),
        'idle connection': (error: PlainError) => onIdleError(errorOf(error)),
      },
    });
    thread.channel.notify('start', null);
    this.states = this.all('running');
    return thread;
  }

  /** Returns whether another thread takes its place. */
  private fail(error: unknown): boolean {
    const isHung = error instanceof HungError;
    if (!isHung) this.states = this.all('failed', error);
    for (const { name } of this.states) this.options.onError(name, error, !isHung);
    return isHung;
  }

  private all(state: ProjectionStatus['state'], error?: unknown): readonly ProjectionStatus[] {
    return this.options.projections.map(({ name, version }) => ({ name, version, state, error }));
  }
}

function statusOf({ error, ...status }: PlainStatus): ProjectionStatus {
  return { ...status, error: error && errorOf(error) };
}
