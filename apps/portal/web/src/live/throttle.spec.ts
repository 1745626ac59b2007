import { throttle } from './throttle.js';

beforeEach(() => jest.useFakeTimers());
afterEach(() => jest.useRealTimers());

function watched() {
  const runs: string[] = [];
  return {
    runs,
    ...throttle<string>(
      () => 100,
      (name) => runs.push(name),
    ),
  };
}

test('the first mark runs at once', () => {
  const { runs, mark } = watched();
  mark('a');
  expect(runs).toEqual(['a']);
});

test('marks within the interval run once, after it: the last is never lost', () => {
  const { runs, mark } = watched();
  for (let count = 0; count < 10; count += 1) mark('a');
  expect(runs).toEqual(['a']);
  jest.advanceTimersByTime(100);
  expect(runs).toEqual(['a', 'a']);
  jest.advanceTimersByTime(1_000);
  expect(runs).toEqual(['a', 'a']);
});

test('names do not wait for each other, and nothing runs once it is stopped', () => {
  const { runs, mark, stop } = watched();
  mark('a');
  mark('b');
  mark('a');
  expect(runs).toEqual(['a', 'b']);
  stop();
  jest.advanceTimersByTime(1_000);
  expect(runs).toEqual(['a', 'b']);
});
