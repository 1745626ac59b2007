import type { Stage } from './stage.js';

/** Goal for the median of a series. */
export type Goal = { readonly atLeast: number } | { readonly atMost: number };

/** One thing that was measured: a value for each round, all in the same unit. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
  readonly goal?: Goal;
  /** Of latencies: answers of all rounds by bucket (`BOUNDS_MS`). */
  readonly histogram?: readonly number[];
}

/** Compared figures are measured in turns, A B A B, so that noise of the machine hits both. */
export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** Runs only when it is asked for by its name. */
  readonly onlyNamed?: boolean;
  /** Everything it starts is registered at the stage, which stops it. Throws when a run is void. */
  run(stage: Stage): Promise<readonly Series[]>;
}

interface MeasuredSeries {
  readonly unit: string;
  readonly goal: Goal | undefined;
  readonly values: number[];
  histogram?: readonly number[];
}

/** Gathers the values of a benchmark round by round; series come out in the order they began. */
export class Measurements {
  readonly #values = new Map<string, MeasuredSeries>();

  /** Adds the value of a round; unit and goal are the same in every round. */
  add(name: string, unit: string, value: number, goal?: Goal): void {
    const series = this.#values.get(name) ?? { unit, goal, values: [] };
    if (series.unit !== unit) throw new Error(`"${name}" is measured in ${series.unit}.`);
    series.values.push(value);
    this.#values.set(name, series);
  }

  /** Adds the answers of a round to the histogram of a series. */
  addHistogram(name: string, counts: readonly number[]): void {
    const series = this.#values.get(name);
    if (series === undefined) throw new Error(`There is no series "${name}".`);
    series.histogram = counts.map((count, index) => count + (series.histogram?.[index] ?? 0));
  }

  series(): Series[] {
    return [...this.#values].map(([name, { unit, goal, values, histogram }]) => ({
      name,
      unit,
      values,
      ...(goal !== undefined && { goal }),
      ...(histogram !== undefined && { histogram }),
    }));
  }
}
