import { growingWaitMs } from '#event-log/alarm.js';
import type { Channel } from './channel.js';
import { Heartbeat } from './heartbeat.js';

/** A thread or a process that was started. */
export interface Started {
  readonly channel: Channel;
  /** The listener is called once, with the reason, when it is gone. */
  onEnded(listener: (reason: unknown) => void): void;
  /** Ends it at once. */
  kill(): void;
}

/** Why a worker was ended that answered nothing any more. */
export class HungError extends Error {}

export interface ReplacedWorkerParts<Running extends Started> {
  /** Starts one. `serving`: for the answers to it, to be called once it serves. */
  readonly begin: (serving: () => void) => Running;
  /** One ended unasked. Another takes its place, unless the answer is false. */
  readonly onEnded: (error: unknown, ended: Running) => unknown;
  /** One hangs, and is ended for that. */
  readonly onHung?: (hung: Running) => void;
}

interface RunningWorker<Running> {
  readonly running: Running;
  readonly heartbeat: Heartbeat;
  isServing: boolean;
}

const RESTART_FIRST_MS = 100;
const RESTART_MOST_MS = 5_000;
/** A worker that has lived for so long does not count as failing. */
const STABLE_MS = 10_000;

/** A thread or process that is to run on: one that ends unasked or hangs is replaced. */
export class ReplacedWorker<Running extends Started> {
  private current: RunningWorker<Running> | undefined;
  private failures = 0;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private onStarted: (error?: unknown) => void = () => undefined;

  constructor(private readonly parts: ReplacedWorkerParts<Running>) {}

  /** Resolves once it serves. Rejects if it ends before that; another takes its place even so. */
  async start(): Promise<void> {
    this.stopping = false;
    const started = new Promise<void>((resolve, reject) => {
      this.onStarted = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.begin();
    await started;
  }

  /** The one that runs by now, if any. */
  get running(): Running | undefined {
    return this.current?.running;
  }

  /** The one that has said that it serves; it may be silent by now. */
  get serving(): Running | undefined {
    return this.current?.isServing === true ? this.current.running : undefined;
  }

  /** Whether one serves and answers. */
  get isServing(): boolean {
    return this.current?.isServing === true && !this.current.heartbeat.isSilent;
  }

  /** Replaces it no more; resolves when it has ended, as it was ordered to. */
  async stop(order: (running: Running) => void): Promise<void> {
    this.stopping = true;
    clearTimeout(this.timer);
    const { running } = this;
    if (running === undefined) return;
    const ended = new Promise((resolve) => running.onEnded(resolve));
    order(running);
    await ended;
  }

  /** Ends it at once, for good. */
  kill(): void {
    this.stopping = true;
    clearTimeout(this.timer);
    this.running?.kill();
  }

  private begin(): void {
    const startedAt = performance.now();
    const running = this.parts.begin(() => {
      worker.isServing = true;
      this.onStarted();
    });
    let hung: HungError | undefined;
    const heartbeat = new Heartbeat(running.channel, () => {
      hung = new HungError('The thread hangs.');
      this.parts.onHung?.(running);
      running.kill();
    });
    const worker: RunningWorker<Running> = { running, heartbeat, isServing: false };
    this.current = worker;
    running.onEnded((reason) => {
      this.current = undefined;
      heartbeat.stop();
      if (!this.stopping) this.replace(running, hung ?? reason, performance.now() - startedAt);
    });
  }

  private replace(ended: Running, error: unknown, livedMs: number): void {
    this.onStarted(error);
    if (this.parts.onEnded(error, ended) === false) return;
    this.failures = livedMs < STABLE_MS ? this.failures + 1 : 1;
    const waitMs = growingWaitMs(this.failures, RESTART_FIRST_MS, RESTART_MOST_MS);
    this.timer = setTimeout(() => this.begin(), waitMs);
  }
}
