import { AccountingUnavailableError } from '#account/charging.js';
import type { LostPositions } from '#event-log/lane-continuity.js';
import { errorOf, type PlainError } from '#workers/plain-error.js';
import { ReplacedWorker } from '#workers/replaced-worker.js';
import { Thread } from '#workers/thread.js';
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

/** The garbage of a batch dies young, in a space that is large enough for it. */
const YOUNG_GENERATION_MB = 64;

class LinkedThread extends Thread {
  readonly link = new DeciderLink(this.channel);
}

/**
 * A decider in a thread of its own, as the main thread sees it. One that ends unasked or hangs is
 * replaced: what it was asked and did not answer is of unknown fate, as after the end of a process.
 */
export class DeciderThread implements Decider {
  private readonly worker: ReplacedWorker<LinkedThread>;

  constructor(
    private readonly program: URL,
    private readonly data: DeciderData,
    private readonly events: DeciderEvents,
  ) {
    const { onEnded } = events;
    this.worker = new ReplacedWorker({ begin: (serving) => this.begin(serving), onEnded });
  }

  /** Resolves once it serves. Rejects if it ends before that. */
  start(): Promise<void> {
    return this.worker.start();
  }

  get isServing(): boolean {
    return this.worker.isServing;
  }

  submit(submission: Submission): Promise<Answer> {
    const { serving } = this.worker;
    if (serving !== undefined) return serving.link.submit(submission);
    const detail = 'The decider of the account is being replaced.';
    return Promise.reject(new AccountingUnavailableError(detail));
  }

  /** Answers those whose callers wait no longer where the thread does not. */
  giveUpLate(now: number): void {
    this.worker.running?.link.giveUpLate(now);
  }

  /** Its metrics as plain data. Rejects where it is being replaced. */
  async metrics(): Promise<object> {
    const { running } = this.worker;
    if (running === undefined) throw new Error('The decider is being replaced.');
    return running.channel.ask<object>('metrics');
  }

  /** Takes nothing new, has answered what is under way, and ends. */
  stop(): Promise<void> {
    return this.worker.stop(({ link, channel }) => {
      link.close();
      channel.notify('stop', null);
    });
  }

  private begin(serving: () => void): LinkedThread {
    const { program, data } = this;
    const { onFault, onLost, onIdleError } = this.events;
    const thread = new LinkedThread({
      program,
      data,
      youngGenerationMb: YOUNG_GENERATION_MB,
      asText: true,
      answers: {
        serving,
        fault: (error: PlainError) => onFault(errorOf(error)),
        lost: (lost: readonly LostPositions[]) => onLost(lost),
        'idle connection': (error: PlainError) => onIdleError(errorOf(error)),
      },
    });
    thread.onEnded(() => thread.link.end());
    return thread;
  }
}
