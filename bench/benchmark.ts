import type { Stage } from './stage.js';

/** One thing that was measured: a value for each round, all in the same unit. */
export interface Series {
  readonly name: string;
  readonly unit: string;
  readonly values: readonly number[];
}

/** What is compared is measured in turns, A B A B, so that noise of the machine hits both. */
export interface Benchmark {
  readonly name: string;
  readonly about: string;
  /** Everything it starts is registered at the stage, which stops it. Throws when a run is void. */
  run(stage: Stage): Promise<readonly Series[]>;
}

/** Gathers the values of a benchmark round by round; series come out in the order they began. */
export class Measurements {
  readonly #values = new Map<string, { readonly unit: string; readonly values: number[] }>();

  add(name: string, unit: string, value: number): void {
    const series = this.#values.get(name) ?? { unit, values: [] };
    if (series.unit !== unit) throw new Error(`"${name}" is measured in ${series.unit}.`);
    series.values.push(value);
    this.#values.set(name, series);
  }

  series(): Series[] {
    return [...this.#values].map(([name, { unit, values }]) => ({ name, unit, values }));
  }
}
