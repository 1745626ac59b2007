import { setTimeout as delay } from 'node:timers/promises';

/** Calls in flight get until here, everything but the last step until the next. */
const DRAINED_MS_MAX = 10_000;
const STOPPED_MS_MAX = 12_000;
const ENDED_MS_MAX = 15_000;

type Task = () => Promise<unknown>;

interface Step {
  readonly name: string;
  readonly run: Task;
}

export interface ShutdownLimits {
  readonly drainedMs: number;
  readonly stoppedMs: number;
  readonly endedMs: number;
}

/**
 * What a process does to end. Registered while it starts, so that a start which fails in the
 * middle, or is interrupted, ends what it had begun and no more.
 */
export class Shutdown {
  private readonly drains: Step[] = [];
  private readonly stops: Step[] = [];
  private readonly lasts: Step[] = [];
  private running: Promise<void> | undefined;

  constructor(
    private readonly complain: (line: string) => void,
    private readonly limits: ShutdownLimits = {
      drainedMs: DRAINED_MS_MAX,
      stoppedMs: STOPPED_MS_MAX,
      endedMs: ENDED_MS_MAX,
    },
  ) {}

  /** First, all at once: take no new calls and answer those in flight. */
  drain(name: string, run: Task): void {
    this.drains.push({ name, run });
  }

  /** Then one after another, what was started last first. */
  stop(name: string, run: Task): void {
    this.stops.unshift({ name, run });
  }

  /** At the very end, even when a step before was late: the embedded database. */
  last(name: string, run: Task): void {
    this.lasts.unshift({ name, run });
  }

  get hasBegun(): boolean {
    return this.running !== undefined;
  }

  /** Runs every step once, each phase at most until its limit. Never rejects. */
  run(): Promise<void> {
    this.running ??= this.runPhases();
    return this.running;
  }

  private async runPhases(): Promise<void> {
    const start = performance.now();
    const left = (limitMs: number) => Math.max(0, start + limitMs - performance.now());
    await this.within(left(this.limits.drainedMs), this.drains, (steps) =>
      Promise.all(steps.map((step) => this.attempt(step))),
    );
    const inOrder = async (steps: readonly Step[]) => {
      for (const step of steps) await this.attempt(step);
    };
    await this.within(left(this.limits.stoppedMs), this.stops, inOrder);
    await this.within(left(this.limits.endedMs), this.lasts, inOrder);
  }

  private async attempt(step: Step): Promise<void> {
    try {
      await step.run();
    } catch (error) {
      this.complain(`Stopping ${step.name} failed: ${(error as Error).message}`);
    }
  }

  private async within(
    limitMs: number,
    steps: readonly Step[],
    runAll: (steps: readonly Step[]) => Promise<unknown>,
  ): Promise<void> {
    if (steps.length === 0) return;
    const timer = new AbortController();
    const late = delay(limitMs, 'late', { signal: timer.signal }).catch(() => 'in time');
    const outcome = await Promise.race([runAll(steps).then(() => 'in time'), late]);
    timer.abort();
    if (outcome === 'late') {
      this.complain(`Not stopped in time: one of ${steps.map(({ name }) => name).join(', ')}.`);
    }
  }
}
