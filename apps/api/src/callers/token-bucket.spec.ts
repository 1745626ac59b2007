import { TokenBucket } from './token-bucket.js';

describe('a token bucket', () => {
  // Rate, burst, then steps of [ms, taken?, left, seconds to the next].
  it.each([
    [
      'serves a burst and refuses the next',
      1,
      2,
      [
        [0, true, 1, 1],
        [0, true, 0, 1],
        [0, false, 0, 1],
      ],
    ],
    [
      'refills evenly',
      2,
      2,
      [
        [0, true, 1, 1],
        [0, true, 0, 1],
        [499, false, 0, 1],
        [500, true, 0, 1],
      ],
    ],
    [
      'holds no more than its burst',
      1,
      2,
      [
        [0, true, 1, 1],
        [99_000, true, 1, 1],
        [99_000, true, 0, 1],
        [99_000, false, 0, 1],
      ],
    ],
    [
      'says how long a slow one takes',
      0.1,
      1,
      [
        [0, true, 0, 10],
        [4000, false, 0, 6],
        [10_000, true, 0, 10],
      ],
    ],
    [
      'keeps parts of a request',
      1,
      1,
      [
        [0, true, 0, 1],
        [600, false, 0, 1],
        [1000, true, 0, 1],
        [1900, false, 0, 1],
        [2000, true, 0, 1],
      ],
    ],
    [
      'does not lose by a clock that steps back',
      1,
      1,
      [
        [5000, true, 0, 1],
        [4000, false, 0, 1],
        [5000, true, 0, 1],
      ],
    ],
  ] as const)('%s', (_rule, perSecond, burst, steps) => {
    const bucket = new TokenBucket({ perSecond, burst }, 0);
    for (const [at, taken, left, seconds] of steps) {
      expect([at, bucket.take(at), bucket.left, bucket.secondsToNext]).toEqual([
        at,
        taken,
        left,
        seconds,
      ]);
    }
  });

  it('lets through no more than its rate and one burst over any time', () => {
    const bucket = new TokenBucket({ perSecond: 50, burst: 100 }, 0);
    let taken = 0;
    for (let at = 0; at < 10_000; at += 1) if (bucket.take(at)) taken += 1;
    expect(taken).toBeGreaterThanOrEqual(595);
    expect(taken).toBeLessThanOrEqual(600);
  });
});
