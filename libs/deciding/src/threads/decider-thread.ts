import { Worker } from 'node:worker_threads';
import { AccountingUnavailableError } from '#account/charging.js';
import { growingWaitMs } from '#event-log/alarm.js';
import type { LostPositions } from '#event-log/lane-continuity.js';
import { errorOf, type PlainError } from '#ledger/lane-threads/lane-job.js';
import { Channel } from '#service/workers/channel.js';
import { Heartbeat } from '#service/workers/heartbeat.js';
import type { Answer, Decider, Submission } from '../submission.js';
import type { DeciderData } from './decider-data.js';
import { DeciderLink } from './decider-link.js';

export interface DeciderEvents {
  /** An outage or a bug in a decider. What it means for each caller is answered there. */
  readonly onFault: (error: unknown) => void;
  /** The log has gone back behind what a decider knew. */
  readonly onLost: (lost: readonly LostPositions[]) => void;
  readonly onIdleError: (error: Error) => void;
  /** A decider ended unasked, and another takes its place. */
  readonly onEnded: (error: unknown) => void;
}

/** One life of the thread. */
interface Life {
  readonly worker: Worker;
  readonly channel: Channel;
  readonly link: DeciderLink;
  readonly heartbeat: Heartbeat;
  isServing: boolean;
}

/** The garbage of a batch dies young, in a space that is large enough for it. */
const YOUNG_GENERATION_MB = 64;
const RESTART_FIRST_MS = 100;
const RESTART_MOST_MS = 5_000;
/** A thread that has lived for so long does not count as failing. */
const STABLE_MS = 10_000;

/**
 * A decider in a thread of its own, as the main thread sees it. One that ends unasked or hangs is
 * replaced: what it was asked and did not answer is of unknown fate, as after the end of a process.
 */
export class DeciderThread implements Decider {
  private life: Life | undefined;
  private failures = 0;
  private stopping = false;
  private timer: NodeJS.Timeout | undefined;
  private onStarted: (error?: unknown) => void = () => undefined;

  constructor(
    private readonly program: URL,
    private readonly data: DeciderData,
    private readonly events: DeciderEvents,
  ) {}

  /** Resolves once it serves. Rejects if it ends before that. */
  async start(): Promise<void> {
    const started = new Promise<void>((resolve, reject) => {
      this.onStarted = (error) => (error === undefined ? resolve() : reject(error));
    });
    this.begin();
    await started;
  }

  get isServing(): boolean {
    return this.life?.isServing === true && !this.life.heartbeat.isSilent;
  }

  submit(submission: Submission): Promise<Answer> {
    const { life } = this;
    if (life?.isServing === true) return life.link.submit(submission);
    const detail = 'The decider of the account is being replaced.';
    return Promise.reject(new AccountingUnavailableError(detail));
  }

  /** Answers those whose callers wait no longer where the thread does not. */
  giveUpLate(now: number): void {
    this.life?.link.giveUpLate(now);
  }

  /** Its metrics as plain data. Rejects where it is being replaced. */
  async metrics(): Promise<object> {
    if (this.life === undefined) throw new Error('The decider is being replaced.');
    return this.life.channel.ask<object>('metrics');
  }

  /** Takes nothing new, has answered what is under way, and ends. */
  async stop(): Promise<void> {
    const { life } = this;
    this.stopping = true;
    clearTimeout(this.timer);
    if (life === undefined) return;
    const ended = new Promise((resolve) => life.worker.once('exit', resolve));
    life.link.close();
    life.channel.ask('stop').catch(() => undefined);
    await ended;
  }

  private begin(): void {
    const resourceLimits = { maxYoungGenerationSizeMb: YOUNG_GENERATION_MB };
    const worker = new Worker(this.program, { workerData: this.data, resourceLimits });
    const link = new DeciderLink((text) => worker.postMessage(text));
    const channel = this.channelTo(worker);
    let cause: unknown;
    const heartbeat = new Heartbeat(channel, () => {
      cause = new Error('The thread hangs.');
      void worker.terminate();
    });
    const life: Life = { worker, channel, link, heartbeat, isServing: false };
    this.life = life;
    const startedAt = performance.now();
    // Batches are texts; the channel passes over them.
    worker.on('message', (message: unknown) => {
      if (typeof message === 'string') link.receive(message);
    });
    worker.on('error', (error) => (cause = error));
    worker.on('exit', (code) => {
      this.life = undefined;
      heartbeat.stop();
      channel.end();
      link.end();
      const error = cause ?? new Error(`The thread ended with ${code}.`);
      if (!this.stopping) this.replace(error, performance.now() - startedAt);
    });
  }

  private channelTo(worker: Worker): Channel {
    const { onFault, onLost, onIdleError } = this.events;
    const port = {
      send: (message: object) => worker.postMessage(message),
      on: (event: 'message', listener: (message: unknown) => void) => worker.on(event, listener),
    };
    return new Channel(port, {
      serving: () => this.serve(),
      fault: (error: PlainError) => onFault(errorOf(error)),
      lost: (lost: readonly LostPositions[]) => onLost(lost),
      'idle connection': (error: PlainError) => onIdleError(errorOf(error)),
    });
  }

  private serve(): void {
    if (this.life !== undefined) this.life.isServing = true;
    this.onStarted();
  }

  private replace(error: unknown, livedMs: number): void {
    this.onStarted(error);
    this.events.onEnded(error);
    this.failures = livedMs < STABLE_MS ? this.failures + 1 : 1;
    const waitMs = growingWaitMs(this.failures, RESTART_FIRST_MS, RESTART_MOST_MS);
    this.timer = setTimeout(() => this.begin(), waitMs);
  }
}
