import { MemoryRateLimits } from './memory-rate-limits.js';
import type { RateLimit, RateLimitName } from './rate-limits.js';

function limit(id: string, perSecond: number, burst: number, name: RateLimitName = 'key') {
  return { name, id, policy: { perSecond, burst } } satisfies RateLimit;
}

describe('the rate limits', () => {
  it('say policies and what is left in the form of the draft', () => {
    const limits = new MemoryRateLimits(() => 0);
    expect(limits.take([limit('a', 50, 100), limit('b', 0.5, 3, 'account')])).toEqual({
      refused: null,
      policy: '"key";q=100;w=2, "account";q=3;w=6',
      limit: '"key";r=99;t=1, "account";r=2;t=2',
    });
  });

  it('refuse with a Retry-After that does not lie before the end of the limit', () => {
    const limits = new MemoryRateLimits(() => 0);
    limits.take([limit('a', 0.2, 1)]);
    const { limit: left, refused } = limits.take([limit('a', 0.2, 1)]);
    expect(left).toBe('"key";r=0;t=5');
    expect(refused).toMatchObject({ slug: 'rate-limited', headers: { 'retry-after': '5' } });
  });

  it.each([
    [1, 'More than 1 request a second with this key: try again in 1 s.'],
    [50, 'More than 50 requests a second with this key: try again in 1 s.'],
    [0.25, 'More than 15 requests a minute with this key: try again in 4 s.'],
    [1 / 60, 'More than 1 request a minute with this key: try again in 60 s.'],
  ])('name a limit of %d a second in words', (perSecond, detail) => {
    const limits = new MemoryRateLimits(() => 0);
    limits.take([limit('a', perSecond, 1)]);
    expect(limits.take([limit('a', perSecond, 1)]).refused?.detail).toBe(detail);
  });

  it('count each id by itself, and the same id of two names apart', () => {
    const limits = new MemoryRateLimits(() => 0);
    for (const one of [limit('a', 1, 1), limit('b', 1, 1), limit('a', 1, 1, 'account')]) {
      expect(limits.take([one]).refused).toBeNull();
    }
    expect(limits.take([limit('a', 1, 1)]).refused).not.toBeNull();
  });

  it('take nothing of one limit when another refuses', () => {
    const limits = new MemoryRateLimits(() => 0);
    const [key, account] = [limit('a', 1, 9), limit('b', 1, 1, 'account')];
    limits.take([key, account]);
    for (let count = 0; count < 3; count += 1) {
      expect(limits.take([key, account]).limit).toBe('"key";r=8;t=1, "account";r=0;t=1');
    }
  });

  it('count a request for as many as it is said to be', () => {
    const limits = new MemoryRateLimits(() => 0);
    expect(limits.take([limit('a', 10, 100)], 50).limit).toBe('"key";r=50;t=1');
    const { refused } = limits.take([limit('a', 10, 100)], 70);
    expect(refused?.headers).toEqual({ 'retry-after': '2' });
  });

  it('take a changed policy at once', () => {
    const limits = new MemoryRateLimits(() => 0);
    limits.take([limit('a', 1, 1)]);
    expect(limits.take([limit('a', 1, 5)]).limit).toBe('"key";r=4;t=1');
  });

  it('let what was owed pass before they let anybody through again', () => {
    let now = 0;
    const limits = new MemoryRateLimits(() => now);
    const address = limit('a', 10, 20, 'address');
    for (let count = 0; count < 25; count += 1) limits.owe(address);
    expect(limits.refusal(address)?.headers).toEqual({ 'retry-after': '1' });
    now = 599;
    expect(limits.refusal(address)).not.toBeNull();
    now = 600;
    expect(limits.refusal(address)).toBeNull();
  });

  it('forget the longest untouched key when there are too many', () => {
    let now = 0;
    const limits = new MemoryRateLimits(() => now, 2);
    for (const id of ['a', 'b', 'a', 'c']) {
      limits.take([limit(id, 0.001, 1)]);
      now += 1_000;
    }
    expect(limits.take([limit('a', 0.001, 1)]).refused).not.toBeNull();
    expect(limits.take([limit('b', 0.001, 1)]).refused).toBeNull();
  });

  it('give nobody a fresh limit for coming from many addresses', () => {
    let now = 0;
    const limits = new MemoryRateLimits(() => now, 100);
    let passed = 0;
    // 1,000 addresses at 10 requests a second each, for 5 s: beyond the first hundred all share
    // one.
    for (; now < 5_000; now += 100) {
      for (let id = 0; id < 1_000; id += 1) {
        const { refused } = limits.take([limit(`${id}`, 1, 2, 'address')]);
        if (refused === null) passed += 1;
      }
    }
    expect(passed).toBeLessThanOrEqual(101 * (5 + 2));
    // Once they are gone, another finds room.
    now += 10_000;
    expect(limits.take([limit('new', 1, 2, 'address')]).limit).toBe('"address";r=1;t=1');
  });
});
