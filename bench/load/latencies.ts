import { quantile } from '../quantile.js';

/** Upper bounds of the histogram's buckets in ms; one more holds what is beyond. */
export const BOUNDS_MS: readonly number[] = [
  0.5, 1, 2, 3, 5, 8, 10, 15, 20, 30, 40, 50, 80, 100, 150, 200, 300, 500, 1_000, 2_000,
];

/** Latencies as they were: no answer stands for another one. */
export interface Latencies {
  readonly answers: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly maxMs: number;
  /** Answers by bucket of `BOUNDS_MS`, each with those above the bound before it. */
  readonly histogram: readonly number[];
}

export function latenciesOf(all: readonly number[]): Latencies {
  const histogram = Array<number>(BOUNDS_MS.length + 1).fill(0);
  for (const ms of all) {
    const bucket = BOUNDS_MS.findIndex((bound) => ms <= bound);
    const index = bucket === -1 ? BOUNDS_MS.length : bucket;
    histogram[index] = (histogram[index] ?? 0) + 1;
  }
  return {
    answers: all.length,
    p50Ms: quantile(all, 0.5),
    p99Ms: quantile(all, 0.99),
    maxMs: all.reduce((most, each) => Math.max(most, each), 0),
    histogram,
  };
}

/** The buckets that hold answers, in one line: `≤ 2 ms: 120, ≤ 3 ms: 7`. */
export function histogramText(histogram: readonly number[]): string {
  const last = BOUNDS_MS.at(-1) ?? 0;
  const parts = histogram.map((count, index) => {
    const bound = BOUNDS_MS[index];
    return `${bound === undefined ? `> ${last}` : `≤ ${bound}`} ms: ${count}`;
  });
  return parts.filter((_, index) => histogram[index] !== 0).join(', ');
}
