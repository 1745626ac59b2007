import type { Series } from './benchmark.js';

export interface Summary extends Series {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

/** The middle value, or the mean of the two in the middle; NaN of none. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length / 2;
  const upper = sorted[Math.floor(middle)] ?? Number.NaN;
  const lower = sorted[Math.ceil(middle) - 1] ?? Number.NaN;
  return (lower + upper) / 2;
}

export function summarize(series: Series): Summary {
  const { values } = series;
  const min = Math.min(...values);
  return { ...series, min, median: median(values), max: Math.max(...values) };
}

/** Thousands without decimals, small values with as many as tell them apart. */
function figure(value: number): string {
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return value.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** A table for people, one line a series. */
export function summaryTable(summaries: readonly Summary[]): string {
  const lines = [
    ['', 'min', 'median', 'max', 'rounds', 'unit'],
    ...summaries.map(({ name, min, median: middle, max, values, unit }) => [
      name,
      figure(min),
      figure(middle),
      figure(max),
      String(values.length),
      unit,
    ]),
  ];
  const widths = [0, 1, 2, 3, 4].map((column) =>
    Math.max(...lines.map((line) => line[column]?.length ?? 0)),
  );
  return lines
    .map((line) =>
      line
        .map((cell, column) => {
          const width = widths[column] ?? 0;
          return column === 0 ? cell.padEnd(width) : cell.padStart(width);
        })
        .join('  '),
    )
    .join('\n');
}
