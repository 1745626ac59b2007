import { Alarm, growingWaitMs } from './alarm.js';

test('a ring ends the wait under way', async () => {
  const alarm = new Alarm();
  const waiting = alarm.wait(3_600_000);
  alarm.ring();
  await expect(waiting).resolves.toBeUndefined();
});

test('a ring that nobody waited for ends the next wait, and only that', async () => {
  const alarm = new Alarm();
  alarm.ring();
  alarm.ring();
  await alarm.wait(3_600_000);
  const began = performance.now();
  await alarm.wait(15);
  expect(performance.now() - began).toBeGreaterThanOrEqual(13);
});

test.each([
  [0, 100],
  [1, 100],
  [2, 200],
  [3, 400],
  [6, 3_200],
  [7, 5_000],
  [2_000, 5_000],
])('after %i failures in a row the wait is %i ms', (failures, expected) => {
  expect(growingWaitMs(failures, 100, 5_000)).toBe(expected);
});
