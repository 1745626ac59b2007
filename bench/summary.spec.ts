import { Measurements, type Goal } from './benchmark.js';
import { latenciesOf } from './load/latencies.js';
import { summarize, summaryTable } from './summary.js';

const series = (values: readonly number[], goal?: Goal) => {
  const figures = new Measurements();
  for (const value of values) figures.add('calls', 'calls/s', value, goal);
  return figures.series().map(summarize);
};

describe('a goal', () => {
  it.each([
    ['at least, reached by the median alone', { atLeast: 10 }, [1, 10, 11], true],
    ['at least, missed by the median alone', { atLeast: 10 }, [9.99, 9.99, 100], false],
    ['at most, reached exactly', { atMost: 5 }, [5], true],
    ['at most, missed by a little', { atMost: 5 }, [5.001], false],
    ['at least, with an even number of rounds', { atLeast: 10 }, [8, 12], true],
    ['at most, without a value', { atMost: 5 }, [Number.NaN], false],
  ])('%s', (_, goal: Goal, values, met) => {
    expect(series(values, goal)).toMatchObject([{ goal, met }]);
  });

  it('stands in the table beside whether it is met', () => {
    const table = summaryTable(series([12_000], { atLeast: 15_000 }));
    expect(table).toMatch(/^calls +12,000 .* ≥ 15,000 +NO +calls\/s$/m);
  });

  it('is not made up where there is none', () => {
    const [summary] = series([1]);
    expect(summary).not.toHaveProperty('met');
    expect(summaryTable(series([1]))).not.toMatch(/yes|NO/);
  });
});

it('a histogram holds each answer of all rounds once', () => {
  const figures = new Measurements();
  for (const round of [
    [0.2, 1.5, 1.6],
    [1.7, 9_000],
  ]) {
    figures.add('calls, p99', 'ms', 1);
    figures.addHistogram('calls, p99', latenciesOf(round).histogram);
  }
  const table = summaryTable(figures.series().map(summarize));
  expect(table.split('\n').at(-1)).toBe(
    'calls, p99, all answers: ≤ 0.5 ms: 1, ≤ 2 ms: 3, > 2000 ms: 1',
  );
});

it('a series has one unit', () => {
  const figures = new Measurements();
  figures.add('time', 's', 1);
  expect(() => figures.add('time', 'ms', 1)).toThrow('"time" is measured in s.');
});
