import type { Log } from './log.js';
import { setTimeout as delay } from 'node:timers/promises';

/** Calls in flight get until here, everything but the last step until the next. */
const DRAINED_MS_MAX = 10_000;
const STOPPED_MS_MAX = 12_000;
const ENDED_MS_MAX = 15_000;

/** A task; `msLeft` are the milliseconds that its phase has left. */
type Task = (msLeft: number) => Promise<unknown>;

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
 * The steps that end a process. They are registered while it starts, so that a start which fails in
 * the middle, or is interrupted, ends only what it had begun.
 */
export class Shutdown {
  private readonly drains: Step[] = [];
  private readonly stops: Step[] = [];
  private readonly lasts: Step[] = [];
  private running: Promise<void> | undefined;
  private log: Log | undefined;

  constructor(
    private readonly complain: (line: string) => void,
    private readonly limits: ShutdownLimits = {
      drainedMs: DRAINED_MS_MAX,
      stoppedMs: STOPPED_MS_MAX,
      endedMs: ENDED_MS_MAX,
    },
  ) {}

  /** From now on the log shows why the process stops, that it has stopped, and what went wrong. */
  reportTo(log: Log): void {
    this.log = log;
  }

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

  /**
   * Runs every step once, each phase at most until its limit. Never rejects. `cause`: as the log
   * shows it.
   */
  run(cause?: string): Promise<void> {
    this.running ??= this.runPhases(cause);
    return this.running;
  }

  private async runPhases(cause?: string): Promise<void> {
    const start = performance.now();
    this.log?.info({ cause }, 'Stopping. A second signal ends it at once.');
    const { drainedMs, stoppedMs, endedMs } = this.limits;
    const leftUntil = (limitMs: number) => Math.max(0, start + limitMs - performance.now());
    await this.within(this.drains, () => leftUntil(drainedMs), allAtOnce);
    await this.within(this.stops, () => leftUntil(stoppedMs), oneByOne);
    await this.within(this.lasts, () => leftUntil(endedMs), oneByOne);
    this.log?.info({ ms: Math.round(performance.now() - start) }, 'Stopped.');
  }

  private async within(
    steps: readonly Step[],
    left: () => number,
    order: (runs: readonly Run[]) => Promise<unknown>,
  ): Promise<void> {
    if (steps.length === 0) return;
    const timer = new AbortController();
    const late = delay(left(), true, { signal: timer.signal }).catch(() => false);
    const runs = steps.map((step) => () => this.attempt(step, left()));
    const isLate = await Promise.race([order(runs).then(() => false), late]);
    timer.abort();
    if (isLate) {
      this.report(`Not stopped in time: one of ${steps.map(({ name }) => name).join(', ')}.`);
    }
  }

  private async attempt(step: Step, msLeft: number): Promise<void> {
    try {
      await step.run(msLeft);
    } catch (error) {
      this.report(`Stopping ${step.name} failed: ${(error as Error).message}`);
    }
  }

  private report(line: string): void {
    if (this.log === undefined) this.complain(line);
    else this.log.warn({}, line);
  }
}

type Run = () => Promise<void>;

function allAtOnce(runs: readonly Run[]): Promise<unknown> {
  return Promise.all(runs.map((run) => run()));
}

async function oneByOne(runs: readonly Run[]): Promise<void> {
  for (const run of runs) await run();
}
