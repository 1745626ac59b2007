import { appendAll } from '../../../test/setup/log-steps.js';
import { TestAccount } from '../../../test/setup/test-events.js';
import { LogUnavailableError } from './event-log.js';
import { followLane } from './follower.js';
import { MemoryEventLog } from './memory-event-log.js';

const account = (): TestAccount => TestAccount.inLane(4);

test('following begins after the position given and ends with the last one handed over', async () => {
  const log = new MemoryEventLog();
  await appendAll(log, [account().many(5)]);
  const stop = new AbortController();
  const seen: number[] = [];
  const last = await followLane(
    log,
    4,
    2,
    (events) => {
      seen.push(...events.map(({ position }) => position));
      if (seen.length === 3) stop.abort();
    },
    { signal: stop.signal, pageSize: 2 },
  );
  expect(seen).toEqual([3, 4, 5]);
  expect(last).toBe(5);
});

test('events appended later are handed over without waiting for anybody else', async () => {
  const log = new MemoryEventLog();
  const writer = account();
  const stop = new AbortController();
  const seen: number[] = [];
  const following = followLane(
    log,
    4,
    0,
    async (events) => {
      seen.push(...events.map(({ position }) => position));
      if (seen.length === 4) stop.abort();
      else await appendAll(log, [writer.many(1)]);
    },
    { signal: stop.signal, pollMs: 1 },
  );
  await appendAll(log, [writer.many(1)]);
  expect(await following).toBe(4);
  expect(seen).toEqual([1, 2, 3, 4]);
});

test('an abort ends an idle follower at once', async () => {
  const stop = new AbortController();
  const log = new MemoryEventLog();
  const following = followLane(log, 4, 0, () => undefined, {
    signal: stop.signal,
    pollMs: 3_600_000,
  });
  stop.abort();
  expect(await following).toBe(0);
});

test('an outage is reported and waited out, and nothing is skipped or repeated', async () => {
  const log = new MemoryEventLog();
  await appendAll(log, [account().many(3)]);
  const read = log.read.bind(log);
  let reads = 0;
  log.read = async (...args) => {
    reads += 1;
    if (reads === 1 || reads === 3) throw new LogUnavailableError('away');
    return read(...args);
  };
  const stop = new AbortController();
  const seen: number[] = [];
  const outages: string[] = [];
  await followLane(
    log,
    4,
    0,
    (events) => {
      seen.push(...events.map(({ position }) => position));
      if (seen.length === 3) stop.abort();
    },
    { signal: stop.signal, pageSize: 1, onOutage: ({ message }) => outages.push(message) },
  );
  expect(seen).toEqual([1, 2, 3]);
  expect(outages).toEqual(['away', 'away']);
});

test('an error of the receiver, or a gap in the lane, ends the following with it', async () => {
  const log = new MemoryEventLog();
  await appendAll(log, [account().many(3)]);
  const { signal } = new AbortController();
  const failing = followLane(log, 4, 0, () => Promise.reject(new Error('no')), { signal });
  await expect(failing).rejects.toThrow('no');
  const read = log.read.bind(log);
  log.read = async (...args) => (await read(...args)).toSpliced(1, 1);
  await expect(followLane(log, 4, 0, () => undefined, { signal })).rejects.toThrow('gap');
});
