import fc from 'fast-check';
import { MemoryRateLimits } from '#web/rates/memory-rate-limits.js';
import type { RateLimit } from '#web/rates/rate-limits.js';
import type { TakingsMessage } from './rate-messages.js';
import { countTakings } from './start-workers.js';
import { WorkerRates, type Counted } from './worker-rates.js';

/** Workers of one primary, whose clock stands still. */
function workersOf(count: number) {
  const primary = new MemoryRateLimits(() => 0);
  let asks = 0;
  const workers: WorkerRates[] = [];
  const ask = async (worker: number, name: string, body: unknown): Promise<unknown> => {
    asks += 1;
    if (name === 'takings') {
      const message = JSON.parse(JSON.stringify(body)) as TakingsMessage;
      return JSON.parse(JSON.stringify(countTakings(primary, message))) as unknown;
    }
    for (const [index, one] of workers.entries()) {
      if (index !== worker) one.hear(body as Counted[]);
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
  return { workers, asks: () => asks };
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

test('what is asked in one turn goes in one message', async () => {
  const { workers, asks } = workersOf(1);
  const states = await Promise.all(
    Array.from({ length: 50 }, async () => workers[0]?.callers.take([keyLimit(20)])),
  );
  expect(states.filter((state) => state?.refused === null)).toHaveLength(20);
  expect(asks()).toBe(1);
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
