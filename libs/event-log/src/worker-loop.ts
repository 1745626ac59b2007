import { Alarm, growingWaitMs } from './alarm.js';

export interface WorkerLoopOptions {
  /** One round of work; answers how much was done, so that 0 is followed by a wait. */
  readonly turn: () => Promise<number>;
  /** Called for each turn that failed; the loop goes on after a wait that grows. */
  readonly onFault: (error: unknown) => void;
  readonly pollMs: number;
  /** Waits after failures: the first, and the most they grow to. */
  readonly retryFirstMs: number;
  readonly retryMostMs: number;
}

/** Takes one turn after the other until it is stopped, and waits when there is nothing to do. */
export class WorkerLoop {
  private readonly alarm = new Alarm();
  private stopping = false;
  private running: Promise<void> | undefined;

  constructor(private readonly options: WorkerLoopOptions) {}

  /** Once: two loops in one would take turns at the same time, and only one would be waited for. */
  start(): void {
    if (this.running !== undefined) throw new Error('The loop has been started before.');
    this.running = this.run();
  }

  /** Whether the turn under way is the last one. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** Takes the next turn at once. */
  wake(): void {
    this.alarm.ring();
  }

  /** Resolves when the turn under way is finished. */
  async stop(): Promise<void> {
    this.stopping = true;
    this.alarm.ring();
    await this.running;
  }

  private async run(): Promise<void> {
    const { turn, onFault, pollMs, retryFirstMs, retryMostMs } = this.options;
    let failures = 0;
    while (!this.stopping) {
      try {
        const done = await turn();
        failures = 0;
        if (done === 0) await this.alarm.wait(pollMs);
      } catch (error) {
        failures += 1;
        onFault(error);
        await this.alarm.wait(growingWaitMs(failures, retryFirstMs, retryMostMs));
      }
    }
  }
}
