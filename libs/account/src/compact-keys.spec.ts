import fc from 'fast-check';
import { CompactKeys } from './compact-keys.js';

const key = fc.oneof(
  fc.integer({ min: 0, max: 3_000 }).map((n) => `/v1/2026w47/cat1/trends/all/popindex/us/${n}`),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom('', '\0', 'ÿ', 'Ā', 'é'.repeat(300), 'x'.repeat(16_381), 'x'.repeat(16_382)),
  fc.integer({ min: 16_000, max: 16_400 }).map((length) => 'y'.repeat(length)),
);

describe('a compact set of keys', () => {
  it('holds exactly what was added', () => {
    fc.assert(
      fc.property(fc.array(key, { maxLength: 3_000 }), fc.array(key), (added, asked) => {
        const [keys, model] = [new CompactKeys(), new Set(added)];
        for (const one of added) keys.add(one);
        expect(keys.size).toBe(model.size);
        expect(new Set(keys)).toEqual(model);
        for (const one of [...asked, ...added]) expect(keys.has(one)).toBe(model.has(one));
      }),
      { numRuns: 50 },
    );
  });

  it('distinguishes keys that have the same hash', () => {
    // Found by trying: FNV-1a gives both the same 32 bits.
    const [one, other] = ['costarring', 'liquid'];
    const keys = new CompactKeys().add(one);
    expect([keys.has(one), keys.has(other)]).toEqual([true, false]);
    expect([...keys.add(other)]).toEqual([one, other]);
  });

  it('keeps many keys in little more than their bytes', () => {
    const before = process.memoryUsage();
    const keys = new CompactKeys();
    const count = 100_000;
    for (let n = 0; n < count; n += 1) keys.add(`/v1/2026w47/cat1/trends/all/popindex/us/key-${n}`);
    const { arrayBuffers } = process.memoryUsage();
    expect(keys.size).toBe(count);
    expect((arrayBuffers - before.arrayBuffers) / count).toBeLessThan(200);
    expect(keys.has('/v1/2026w47/cat1/trends/all/popindex/us/key-99999')).toBe(true);
    expect(keys.has('/v1/2026w47/cat1/trends/all/popindex/us/key-100000')).toBe(false);
  });
});
