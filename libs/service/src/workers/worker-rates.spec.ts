import fc from 'fast-check';
import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import type { RateLimit } from '#web/rates/rate-limits.js';
import type { TakingMessage } from './rate-messages.js';
import { countTaking } from './start-workers.js';
import { WorkerRates, type CountedRequests } from './worker-rates.js';

/** Workers of one primary, whose clock stands still. */
function workersOf(count: number) {
  const primary = new MemoryRateLimits(() => 0);
  const workers: WorkerRates[] = [];
  const ask = async (worker: number, name: string, body: unknown): Promise<unknown> => {
    if (name === 'taking') {
      const message = JSON.parse(JSON.stringify(body)) as TakingMessage;
      return JSON.parse(JSON.stringify(countTaking(primary, message))) as unknown;
    }
    for (const [index, one] of workers.entries()) {
      if (index !== worker) one.hear(body as CountedRequests[]);
    }
    return null;
  };
  for (let index = 0; index < count; index += 1) {
    workers.push(
      new WorkerRates({
        ask: <T>(name: string, body: unknown) => ask(index, name, body) as Promise<T>,
      }),
    );
  }
  return { workers };
}

const keyLimit = (burst: number): RateLimit => ({
  name: 'key',
  id: 'k',
  policy: { perSecond: 1, burst },
});

test('whichever workers callers come to, the limit admits what one process would', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.tuple(fc.nat({ max: 2 }), fc.integer({ min: 1, max: 3 })), { maxLength: 40 }),
      async (burst, requests) => {
        const { workers } = workersOf(3);
        const alone = new MemoryRateLimits(() => 0);
        for (const [worker, count] of requests) {
          const state = await workers[worker]?.callers.take([keyLimit(burst)], count);
          expect(state).toEqual(alone.take([keyLimit(burst)], count));
        }
      },
    ),
  );
});

test('what is asked at the same time is admitted up to the limit', async () => {
  const { workers } = workersOf(1);
  const states = await Promise.all(
    Array.from({ length: 50 }, async () => workers[0]?.callers.take([keyLimit(20)])),
  );
  expect(states.filter((state) => state?.refused === null)).toHaveLength(20);
});

test('an address that one worker has counted is known to the others after a moment', async () => {
  jest.useFakeTimers();
  try {
    const { workers } = workersOf(2);
    const [one, other] = workers;
    const limit: RateLimit = { name: 'address', id: 'a', policy: { perSecond: 1, burst: 5 } };
    for (let request = 0; request < 5; request += 1) one?.take([limit]);
    expect(other?.refusal(limit)).toBeNull();
    jest.advanceTimersByTime(20);
    expect(other?.refusal(limit)).not.toBeNull();
  } finally {
    jest.useRealTimers();
  }
});
