import { parseMetrics } from './metrics-text.js';
import { ratesBetween, refusalsOf, type Reading } from './throughput.js';

function reading(at: number, base: number, repeat: number, refused: number): Reading {
  const text = `popindex_charges_total{kind="base",test="false"} ${base}
popindex_charges_total{kind="repeat",test="false"} ${repeat}
popindex_charged_credits_total{kind="base",test="false"} ${base * 35}
popindex_refusals_total{reason="out-of-credits",test="false"} ${refused}
popindex_refusals_total{reason="unknown-key",test="false"} 1`;
  return { at, samples: parseMetrics(text) };
}

describe('throughput', () => {
  it('is what was counted between two readings, a second', () => {
    expect(ratesBetween(reading(0, 10, 100, 0), reading(2_000, 14, 300, 6))).toEqual({
      at: 2_000,
      base: 2,
      repeat: 100,
      refused: 3,
      credits: 70,
    });
  });

  it('is never below 0, also where the process was restarted', () => {
    const { base, repeat } = ratesBetween(reading(0, 900, 900, 0), reading(1_000, 3, 0, 0));
    expect([base, repeat]).toEqual([3, 0]);
  });

  it('groups refusals by their reasons, most first', () => {
    expect(refusalsOf(reading(0, 0, 0, 5).samples)).toEqual([
      ['out-of-credits', 5],
      ['unknown-key', 1],
    ]);
  });
});
