import cluster, { type Worker } from 'node:cluster';
import { once } from 'node:events';
import { growingWaitMs } from '#event-log/alarm.js';
import type { Log } from '#web/log.js';
import type { PartState } from '#web/readiness.js';
import { StartupError } from '#web/startup-error.js';
import { Channel, type Answers } from './channel.js';
import { Heartbeat } from './heartbeat.js';

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

interface Running {
  readonly process: Worker;
  readonly channel: Channel;
  readonly heartbeat: Heartbeat;
  isServing: boolean;
}

const RESTART_FIRST_MS = 100;
const RESTART_MOST_MS = 5_000;
/** A worker that has served for so long does not count as failing. */
const STABLE_MS = 10_000;

const ANSWER_MS_MAX = 1_500;

function late(): Promise<never> {
  const error = new Error('The worker is busy.');
  return new Promise((_, reject) => void setTimeout(() => reject(error), ANSWER_MS_MAX).unref());
}

/** Workers that share the ports on which they listen. One that dies or hangs is replaced. */
export class WorkerPool {
  private readonly running = new Map<number, Running>();
  private readonly timers = new Set<NodeJS.Timeout>();
  private failures = 0;
  private closing = false;
  private onStarted: (error?: Error) => void = () => undefined;

  constructor(private readonly parts: WorkerPoolParts) {}

  /** Resolves once all workers serve. Throws StartupError if one ends before that. */
  async start(): Promise<void> {
    const { program, workers } = this.parts;
    // Each worker accepts connections by itself. What the primary would hand over to a worker that
    // dies at that moment, nobody would answer.
    cluster.schedulingPolicy = cluster.SCHED_NONE;
    cluster.setupPrimary({ exec: program, args: [] });
    const started = new Promise<void>((resolve, reject) => {
      this.onStarted = (error) => {
        if (error !== undefined) reject(error);
        else if (this.serving === workers) resolve();
      };
    });
    for (let index = 0; index < workers; index += 1) this.fork();
    await started;
    this.onStarted = () => undefined;
  }

  get serving(): number {
    return this.servingOnes().length;
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
    const asked = this.servingOnes().map(({ channel }) =>
      Promise.race([channel.ask<Answer>(name, body), late()]),
    );
    const answers = await Promise.allSettled(asked);
    return answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  }

  /** Asks every worker but one. */
  askOthers(worker: number, name: string, body: unknown): void {
    for (const [id, { channel }] of this.running) {
      if (id !== worker) channel.ask(name, body).catch(() => undefined);
    }
  }

  /** Has every worker answer what is under way and end; resolves when all have. */
  async close(): Promise<void> {
    this.closing = true;
    for (const timer of this.timers) clearTimeout(timer);
    const ends = [...this.running.values()].map(async ({ process: worker, heartbeat }) => {
      heartbeat.stop();
      const ended = once(worker, 'exit');
      worker.process.kill('SIGTERM');
      await ended;
    });
    await Promise.all(ends);
  }

  /** Ends at once what `close` has left. */
  kill(): void {
    this.closing = true;
    for (const { process: worker } of this.running.values()) worker.process.kill('SIGKILL');
  }

  private fork(): void {
    const worker = cluster.fork(this.parts.environment);
    const port = {
      send: (message: object) => worker.send(message, () => undefined),
      on: (event: 'message', listener: (message: unknown) => void) => worker.on(event, listener),
    };
    const startedAt = performance.now();
    const answers = {
      ...this.parts.answers(worker.id),
      serving: () => {
        one.isServing = true;
        this.onStarted();
      },
    };
    const channel = new Channel(port, answers);
    const heartbeat = new Heartbeat(channel, () => this.giveUp(worker));
    const one: Running = { process: worker, channel, heartbeat, isServing: false };
    this.running.set(worker.id, one);
    worker.once('exit', (code, signal) => {
      this.running.delete(worker.id);
      heartbeat.stop();
      one.channel.end();
      if (!this.closing) this.replace(worker, code, signal, performance.now() - startedAt);
    });
  }

  private servingOnes(): Running[] {
    return [...this.running.values()].filter((one) => one.isServing && !one.heartbeat.isSilent);
  }

  /** Its open calls are settled as after the end of any worker. */
  private giveUp(worker: Worker): void {
    const { pid } = worker.process;
    this.parts.logger.error({ pid }, 'A worker of the API hangs: it is killed.');
    worker.process.kill('SIGKILL');
  }

  private replace(worker: Worker, code: number, signal: string, livedMs: number): void {
    const { logger } = this.parts;
    const pid = worker.process.pid;
    logger.error({ pid, code, signal }, 'A worker of the API ended; another takes its place.');
    this.onStarted(new StartupError('popindex: a worker of the API could not start.'));
    this.failures = livedMs < STABLE_MS ? this.failures + 1 : 1;
    const waitMs = growingWaitMs(this.failures, RESTART_FIRST_MS, RESTART_MOST_MS);
    const timer = setTimeout(() => {
      this.timers.delete(timer);
      if (!this.closing) this.fork();
    }, waitMs);
    this.timers.add(timer);
  }
}
