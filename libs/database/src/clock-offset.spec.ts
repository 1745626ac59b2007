import fc from 'fast-check';
import {
  clockFault,
  fixOf,
  jumpSince,
  offsetOf,
  presentAt,
  type ClockSample,
} from './clock-offset.js';

/** A sample whose monotonic clock shows the wall clock's time since 1,000,000. */
function sample(before: number, after: number, database: number, wallJump = 0): ClockSample {
  return {
    wallBefore: 1_000_000 + before,
    wallAfter: 1_000_000 + after + wallJump,
    monotonicBefore: before,
    monotonicAfter: after,
    database: 1_000_000 + database,
  };
}

const FIX = { wall: 1_000_000, monotonic: 0, database: 1_000_500 };

test.each<[string, ClockSample[], number | undefined]>([
  ['no sample', [], undefined],
  ['equal clocks', [sample(0, 10, 5)], 0],
  ['a clock that is behind', [sample(0, 10, 505)], 500],
  ['a clock that is ahead', [sample(0, 10, -495)], -500],
  [
    'the quickest of several',
    [sample(0, 400, 350), sample(400, 402, 501), sample(402, 500, 590)],
    100,
  ],
  ['a jump while it was asked', [sample(0, 10, 5, 3_600_000)], undefined],
  ['a jump in one of two', [sample(0, 10, 5, -5_000), sample(20, 60, 50)], 10],
  ['a slow answer without a jump', [sample(0, 4_000, 2_000)], 0],
])('the offset of %s', (_name, samples, offset) => {
  const fix = fixOf(samples);
  expect(fix && offsetOf(fix)).toBe(offset);
});

test('the offset is off by at most half of the quickest round trip', () => {
  const ms = fc.double({ min: 0, max: 1_000, noNaN: true });
  const offset = fc.double({ min: -1e7, max: 1e7, noNaN: true });
  fc.assert(
    fc.property(fc.array(fc.tuple(ms, ms), { minLength: 1 }), offset, (trips, real) => {
      let at = 0;
      const samples = trips.map(([there, back]) => {
        const before = at;
        at += there + back;
        return sample(before, at, before + there + real);
      });
      const quickest = Math.min(...trips.map(([there, back]) => there + back));
      const fix = fixOf(samples);
      expect(Math.abs((fix ? offsetOf(fix) : Infinity) - real)).toBeLessThanOrEqual(
        quickest / 2 + 1e-6,
      );
    }),
  );
});

// Wall clock and monotonic clock since the fix: the jump and the present since the fix's database.
test.each([
  ['no time has gone by', 0, 0, 0, 0],
  ['a second has gone by', 1_000, 1_000, 0, 1_000],
  ['the wall clock is slowed down', 990, 1_000, -10, 990],
  ['the wall clock is sped up', 1_010, 1_000, 10, 1_000],
  ['the wall clock jumps forward', 3_601_000, 1_000, 3_600_000, 1_000],
  ['the wall clock jumps back', -3_599_000, 1_000, -3_600_000, -3_599_000],
  ['the present has a fraction', 0.9, 0.7, 0.2, 0],
])(
  'when %s, the present never runs past what was measured',
  (_name, wall, monotonic, jump, present) => {
    expect(jumpSince(FIX, FIX.wall + wall, monotonic)).toBeCloseTo(jump, 6);
    expect(presentAt(FIX, FIX.wall + wall, monotonic)).toBe(FIX.database + present);
  },
);

test.each<[string, number, number, number, RegExp | undefined]>([
  ['all agree', 0, 0, 0, undefined],
  ['the offset is just within', 2_000, 0, 0, undefined],
  ['the offset is just within, behind', -2_000, 0, 0, undefined],
  ['the clock is behind', 2_001, 0, 0, /2001 ms behind/],
  ['the clock is ahead', -2_001, 0, 0, /2001 ms ahead of/],
  ['a jump is just within', 0, 62_000, 60_000, undefined],
  ['the clock jumps forward', 0, 62_001, 60_000, /jumped by 2001 ms/],
  ['the clock jumps back', 0, 57_999, 60_000, /jumped by -2001 ms/],
])(
  'when %s, a process may stamp calls or says why not',
  (_name, offset, wall, monotonic, words) => {
    const fix = { wall: 0, monotonic: 0, database: offset };
    const fault = clockFault(fix, wall, monotonic);
    if (words === undefined) expect(fault).toBeUndefined();
    else expect(fault).toMatch(words);
  },
);

test('without a measurement there is no present to stamp with', () => {
  expect(clockFault(undefined, 0, 0)).toMatch(/not been read/);
});
