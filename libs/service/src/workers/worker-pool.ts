import cluster, { type Worker } from 'node:cluster';
import type { Log } from '#web/log.js';
import type { PartState } from '#web/readiness.js';
import { StartupError } from '#web/startup-error.js';
import { Channel, type Answers } from '#workers/channel.js';
import { processPort } from '#workers/process-port.js';
import { ReplacedWorker, type Started } from '#workers/replaced-worker.js';

export interface WorkerPoolParts {
  /** The program that each worker runs. */
  readonly program: string;
  readonly workers: number;
  /** Settings of the workers, beside those of this process. */
  readonly environment: Readonly<Record<string, string>>;
  /** How this process answers what a worker asks; its first argument is the worker's number. */
  readonly answers: (worker: number) => Answers;
  readonly logger: Log;
}

/** A worker, and the channel to it. */
class WorkerProcess implements Started {
  readonly channel: Channel;

  constructor(
    readonly worker: Worker,
    answers: Answers,
  ) {
    const port = processPort(worker, (message) => worker.send(message, () => undefined));
    this.channel = new Channel(port, answers);
    worker.once('exit', () => this.channel.end());
  }

  onEnded(listener: (reason: unknown) => void): void {
    this.worker.once('exit', (code) => listener(new Error(`The worker ended with ${code}.`)));
  }

  kill(): void {
    this.worker.process.kill('SIGKILL');
  }
}

const ANSWER_MS_MAX = 1_500;

function late(): Promise<never> {
  const error = new Error('The worker is busy.');
  return new Promise((_, reject) => void setTimeout(() => reject(error), ANSWER_MS_MAX).unref());
}

/** Workers that share the ports on which they listen. One that dies or hangs is replaced. */
export class WorkerPool {
  private readonly workers: readonly ReplacedWorker<WorkerProcess>[];

  constructor(private readonly parts: WorkerPoolParts) {
    const { logger } = parts;
    this.workers = Array.from({ length: parts.workers }, () => {
      return new ReplacedWorker<WorkerProcess>({
        begin: (serving) => this.fork(serving),
        onEnded: (_error, { worker: { process } }) => {
          const { pid, exitCode: code, signalCode: signal } = process;
          const ended = 'A worker of the API ended; another takes its place.';
          logger.error({ pid, code, signal }, ended);
        },
        // Its open calls are settled as after the end of any worker.
        onHung: ({ worker: { process } }) => {
          logger.error({ pid: process.pid }, 'A worker of the API hangs: it is killed.');
        },
      });
    });
  }

  /** Resolves once all workers serve. Throws StartupError if one ends before that. */
  async start(): Promise<void> {
    // Each worker accepts connections by itself. What the primary would hand over to a worker that
    // dies at that moment, nobody would answer.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: this.parts.program, args: [] });
    try {
      await Promise.all(this.workers.map((worker) => worker.start()));
    } catch (cause) {
      throw new StartupError('popindex: a worker of the API could not start.', { cause });
    }
  }

  get serving(): number {
    return this.workers.filter(({ isServing }) => isServing).length;
  }

  /** Ready while any worker serves; the detail says how many do. */
  state(): PartState {
    const { serving } = this;
    const { workers } = this.parts;
    if (serving === workers) return { ready: true };
    return { ready: serving > 0, detail: `${serving} of ${workers} workers serve.` };
  }

  /** Asks every worker that serves; those that do not answer soon are left out. */
  async ask<Answer>(name: string, body: unknown = null): Promise<Answer[]> {
    const asked = this.workers.flatMap(({ isServing, running }) =>
      isServing && running ? [Promise.race([running.channel.ask<Answer>(name, body), late()])] : [],
    );
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /** Lets every worker know but one. */
  notifyOthers(worker: number, name: string, body: unknown): void {
    for (const { running } of this.workers) {
      if (running !== undefined && running.worker.id !== worker) running.channel.notify(name, body);
    }
  }

  /** Has every worker answer what is under way and end; resolves when all have. */
  async close(): Promise<void> {
    const order = ({ worker }: WorkerProcess): unknown => worker.process.kill('SIGTERM');
    await Promise.all(this.workers.map((worker) => worker.stop(order)));
  }

  /** Ends at once what `close` has left. */
  kill(): void {
    for (const worker of this.workers) worker.kill();
  }

  private fork(serving: () => void): WorkerProcess {
    const worker = cluster.fork(this.parts.environment);
    return new WorkerProcess(worker, { ...this.parts.answers(worker.id), serving });
  }
}
