import type { Prng } from './prng.js';

/** Something outside of the code under test that is under way and will happen at some moment. */
export interface Step {
  /** Who loses it by crashing. */
  readonly owner: object;
  /** For the trace; empty for one that notes by itself what it does. */
  readonly name: string;
  readonly run: () => void | Promise<void>;
  /** Called when its owner crashes; without this it never happens. */
  readonly orphaned?: () => void;
}

/**
 * Decides in which order everything outside goes on. Between two steps the code under test runs
 * until all of it waits again, so the seed alone decides what happens.
 */
export class Scheduler {
  private steps: Step[] = [];

  constructor(private readonly prng: Prng) {}

  get waiting(): number {
    return this.steps.length;
  }

  add(step: Step): void {
    this.steps.push(step);
  }

  /** Takes away all that a crashed owner was waiting for. */
  drop(owner: object): void {
    const dropped = this.steps.filter((step) => step.owner === owner);
    this.steps = this.steps.filter((step) => step.owner !== owner);
    for (const step of dropped) step.orphaned?.();
  }

  /** Runs one of the steps under way. */
  async runOne(note: (name: string) => void): Promise<void> {
    const [step] = this.steps.splice(this.prng.below(this.steps.length), 1);
    if (step === undefined) return;
    if (step.name !== '') note(step.name);
    await step.run();
    await quiescence();
  }
}

/**
 * Resolves when everything that can go on without a step has gone on, what leaves at the end of a
 * turn of the event loop included.
 */
export async function quiescence(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}
