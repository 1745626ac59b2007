import { TokenBucket } from './token-bucket.js';

function isTaken(bucket: TokenBucket, at: number, requests = 1): boolean {
  if (!bucket.has(at, requests)) return false;
  bucket.take(requests);
  return true;
}

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
      expect([at, isTaken(bucket, at), bucket.left, bucket.secondsToNext]).toEqual([
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
    for (let at = 0; at < 10_000; at += 1) if (isTaken(bucket, at)) taken += 1;
    expect(taken).toBeGreaterThanOrEqual(595);
    expect(taken).toBeLessThanOrEqual(600);
  });

  it('gives what costs more than a burst against a full bucket', () => {
    const bucket = new TokenBucket({ perSecond: 10, burst: 20 }, 0);
    expect([isTaken(bucket, 0, 50), bucket.left]).toEqual([true, 0]);
    expect([isTaken(bucket, 1_900, 50), bucket.secondsTo(50)]).toEqual([false, 1]);
    expect(isTaken(bucket, 2_000, 50)).toBe(true);
  });

  it('owes a burst at most', () => {
    const bucket = new TokenBucket({ perSecond: 1, burst: 2 }, 0);
    for (let count = 0; count < 9; count += 1) bucket.take(1);
    expect([bucket.left, bucket.secondsToNext]).toEqual([0, 3]);
    expect([bucket.has(2_999, 1), bucket.has(3_000, 1)]).toEqual([false, true]);
  });
});
