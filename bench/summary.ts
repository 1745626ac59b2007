import type { Goal, Series } from './benchmark.js';
import { histogramText } from './load/latencies.js';
import { median } from './quantile.js';

export interface Summary extends Series {
  readonly min: number;
  readonly median: number;
  readonly max: number;
  /** Whether the median comes to the goal; absent without one. */
  readonly met?: boolean;
}

function isMet(goal: Goal, value: number): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost;
}

export function summarize(series: Series): Summary {
  const { values, goal } = series;
  const middle = median(values);
  const summary = { ...series, min: Math.min(...values), median: middle, max: Math.max(...values) };
  return goal === undefined ? summary : { ...summary, met: isMet(goal, middle) };
}

function goalText(goal: Goal | undefined): string {
  if (goal === undefined) return '';
  const [sign, value] = 'atLeast' in goal ? ['≥', goal.atLeast] : ['≤', goal.atMost];
  return `${sign} ${value.toLocaleString('en')}`;
}

function metText(met: boolean | undefined): string {
  return met === undefined ? '' : met ? 'yes' : 'NO';
}

/** Thousands without decimals, small values with as many as distinguish them. */
function figure(value: number): string {
  const decimals = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 3;
  return value.toLocaleString('en', {
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  });
}

/** A table for people, one line a series, and the histograms below it. */
export function summaryTable(summaries: readonly Summary[]): string {
  const histograms = summaries.flatMap(({ name, histogram }) =>
    histogram === undefined ? [] : [`${name}, all answers: ${histogramText(histogram)}`],
  );
  return [tableOf(summaries), ...histograms].join('\n');
}

function tableOf(summaries: readonly Summary[]): string {
  const lines = [
    ['', 'min', 'median', 'max', 'rounds', 'goal', 'met', 'unit'],
    ...summaries.map(({ name, min, median: middle, max, values, goal, met, unit }) => [
      name,
      figure(min),
      figure(middle),
      figure(max),
      String(values.length),
      goalText(goal),
      metText(met),
      unit,
    ]),
  ];
  const widths = [0, 1, 2, 3, 4, 5, 6].map((column) =>
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
