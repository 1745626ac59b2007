import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { ProjectionPositions } from '#event-log/projection-positions.js';
import type { Projection } from '#event-log/projection.js';
import type { ProjectionStatus } from '#event-log/projection-runner.js';
import { errorOf } from '../lane-threads/lane-job.js';
import type { FromThread, ProjectionThreadData, ToThread } from './thread-messages.js';

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
 * projection that met an error.
 */
export class ProjectionThread {
  private worker: Worker | undefined;
  private states: readonly ProjectionStatus[];
  private stopping = false;
  private readonly positions: ProjectionPositions;

  constructor(private readonly options: ProjectionThreadOptions) {
    const { pool, projections } = options;
    this.states = this.all('stopped');
    const names = projections.map(({ name }) => name);
    this.positions = new ProjectionPositions(pool, names, () => this.wake());
  }

  /** Begins in the background; what stopped or failed begins again. */
  start(): void {
    this.stopping = false;
    this.worker ??= this.spawn();
    this.post('start');
  }

  /** Resolves when the transactions under way are finished. */
  async stop(): Promise<void> {
    const { worker } = this;
    if (worker === undefined) return;
    this.stopping = true;
    const ended = new Promise((resolve) => worker.once('exit', resolve));
    this.post('stop');
    await ended;
  }

  /** Something was appended: look at once instead of at the next poll. */
  wake(): void {
    this.post('wake');
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

  private spawn(): Worker {
    const { databaseUrl, zone, program = PROGRAM } = this.options;
    const workerData: ProjectionThreadData = { databaseUrl, zone };
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    const worker = new Worker(program, { workerData, resourceLimits });
    let cause: unknown;
    worker.on('message', (message: FromThread) => this.hear(message));
    worker.on('error', (error) => (cause = error));
    worker.on('exit', (code) => {
      this.worker = undefined;
      if (this.stopping) this.states = this.all('stopped');
      else this.fail(cause ?? new Error(`The thread of the projections ended with ${code}.`));
    });
    this.states = this.all('running');
    return worker;
  }

  private post(order: ToThread): void {
    this.worker?.postMessage(order);
  }

  private hear(message: FromThread): void {
    const { onError, onIdleError, onStartOver } = this.options;
    if ('lost' in message) return onIdleError(errorOf(message.lost));
    if ('startedOver' in message) return onStartOver(message.startedOver, message.lanes);
    if ('fault' in message) {
      return onError(message.projection, errorOf(message.fault), message.fatal);
    }
    this.states = message.states.map((status) => ({
      ...status,
      error: status.error && errorOf(status.error),
    }));
  }

  private fail(error: unknown): void {
    this.states = this.all('failed', error);
    for (const { name } of this.states) this.options.onError(name, error, true);
  }

  private all(state: ProjectionStatus['state'], error?: unknown): readonly ProjectionStatus[] {
    return this.options.projections.map(({ name, version }) => ({ name, version, state, error }));
  }
}
