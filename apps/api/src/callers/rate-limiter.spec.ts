import { RateLimiter } from './rate-limiter.js';

describe('the rate limiter', () => {
  it('tells policy and limit in the form of the draft', () => {
    const limiter = new RateLimiter(() => 0);
    expect(limiter.take('a', null)).toEqual({
      refused: null,
      policy: '"default";q=100;w=2',
      limit: '"default";r=99;t=1',
    });
    expect(limiter.take('b', { perSecond: 0.5, burst: 3 })).toMatchObject({
      policy: '"default";q=3;w=6',
      limit: '"default";r=2;t=2',
    });
  });

  it('refuses with a Retry-After that does not lie before the end of the limit', () => {
    const limiter = new RateLimiter(() => 0);
    limiter.take('a', { perSecond: 0.2, burst: 1 });
    const refused = limiter.take('a', { perSecond: 0.2, burst: 1 });
    expect(refused.limit).toBe('"default";r=0;t=5');
    expect(refused.refused).toMatchObject({
      slug: 'rate-limited',
      headers: { 'retry-after': '5' },
    });
  });

  it('counts each key by itself', () => {
    const limiter = new RateLimiter(() => 0);
    const rate = { perSecond: 1, burst: 1 };
    expect(limiter.take('a', rate).refused).toBeNull();
    expect(limiter.take('b', rate).refused).toBeNull();
    expect(limiter.take('a', rate).refused).not.toBeNull();
  });

  it('takes a changed policy at once', () => {
    const limiter = new RateLimiter(() => 0);
    limiter.take('a', { perSecond: 1, burst: 1 });
    expect(limiter.take('a', { perSecond: 1, burst: 5 }).limit).toBe('"default";r=4;t=1');
  });

  it('forgets the longest untouched key when there are too many', () => {
    const limiter = new RateLimiter(() => 0, 2);
    const rate = { perSecond: 1, burst: 1 };
    for (const key of ['a', 'b', 'a', 'c']) limiter.take(key, rate);
    expect(limiter.take('a', rate).refused).not.toBeNull();
    expect(limiter.take('b', rate).refused).toBeNull();
  });
});
