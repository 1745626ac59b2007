import { RETRY_DELAYS_MS, retryDelayMs } from './retry-schedule.js';

const HOUR = 3_600_000;

test('the first retry comes after 5 s, and each wait is longer than the one before', () => {
  expect(retryDelayMs(1)).toBe(5_000);
  RETRY_DELAYS_MS.forEach((delay, index) => {
    expect(delay).toBeGreaterThan(RETRY_DELAYS_MS[index - 1] ?? 0);
  });
});

test('the last retry comes when three days are nearly over, and then it is over', () => {
  const total = RETRY_DELAYS_MS.reduce((sum, delay) => sum + delay, 0);
  expect(total).toBeLessThanOrEqual(72 * HOUR);
  expect(total).toBeGreaterThan(71 * HOUR);
  expect(retryDelayMs(RETRY_DELAYS_MS.length)).toBe(24 * HOUR);
  expect(retryDelayMs(RETRY_DELAYS_MS.length + 1)).toBeNull();
});
