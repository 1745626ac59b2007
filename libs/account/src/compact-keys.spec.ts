import fc from 'fast-check';
import { CompactKeys } from './compact-keys.js';

/** A UUID, or what only looks like one. */
const almostUuid = fc.oneof(
  fc.uuid(),
  fc.uuid().map((id) => id.toUpperCase()),
  fc.uuid().map((id) => id.slice(0, -1)),
  fc
    .tuple(fc.uuid(), fc.nat(35), fc.constantFrom('-', 'g', '/', '\x01', 'é'))
    .map(([id, at, unit]) => id.slice(0, at) + unit + id.slice(at + 1)),
);
const key = fc.oneof(
  almostUuid.map((id) => `/v1/2026w47/cat5/timeseries/popindex/us/${id}`),
  fc.array(almostUuid, { maxLength: 3 }).map((ids) => `/${ids.join('/')}`),
  fc.tuple(almostUuid, fc.string({ unit: 'binary', maxLength: 2 })).map((parts) => parts.join('')),
  fc.integer({ min: 0, max: 3_000 }).map((n) => `/v1/2026w47/cat1/trends/all/popindex/us/${n}`),
  fc.constantFrom('/v1/2026w4', '/v1/2026w47', '/v1/2026w470', '/v1/2026w47/', '\x02', '\x02/a'),
  fc.string({ unit: 'binary', maxLength: 4 }),
  fc.constantFrom(
    '',
    '\0',
    '\x01',
    'ÿ',
    'Ā',
    'é'.repeat(300),
    'x'.repeat(16_381),
    'x'.repeat(16_382),
  ),
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

  it('keeps a UUID as its bytes', () => {
    const before = process.memoryUsage();
    const keys = new CompactKeys();
    const count = 65_536;
    const uuid = (n: number) => `${n.toString(16).padStart(8, '0')}-0000-4000-8000-000000000000`;
    for (let n = 0; n < count; n += 1) keys.add(`/v1/2026w47/${uuid(n)}/${uuid(count - n)}`);
    const { arrayBuffers } = process.memoryUsage();
    expect(keys.size).toBe(count);
    // With both as text, or with what all begin with, it would be 57 and more.
    expect((arrayBuffers - before.arrayBuffers) / count).toBeLessThan(57);
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
