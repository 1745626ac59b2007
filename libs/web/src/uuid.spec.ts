import { isUuid, UuidV7, uuidV8 } from './uuid.js';

function filled(byte: number) {
  return (bytes: Uint8Array): void => {
    bytes.fill(byte);
  };
}

describe('UUIDv7', () => {
  it('holds the time, its version and its variant', () => {
    const id = new UuidV7(() => 0x0123456789ab, filled(0xff)).next();
    expect(id.slice(0, 13)).toBe('01234567-89ab');
    expect(id[14]).toBe('7');
    expect('89ab').toContain(id[19]);
    expect(isUuid(id)).toBe(true);
  });

  it('rises within a millisecond, at a step back of the clock and when its counter is full', () => {
    const times = [1000, 1000, 1000, 400, 1001, 1001];
    let asked = 0;
    const ids = new UuidV7(
      () => times[Math.min((asked += 1), times.length) - 1] ?? 0,
      filled(0xff),
    );
    const made = Array.from({ length: 600_000 }, () => ids.next());
    for (let index = 1; index < made.length; index += 1) {
      if ((made[index - 1] ?? '') >= (made[index] ?? ''))
        throw new Error(`${index}: ${made[index]}`);
    }
    expect(new Set(made.slice(0, 1000)).size).toBe(1000);
  });
});

describe('UUIDv8', () => {
  it('is the same for the same hash, with version and variant of its own', () => {
    const hash = Uint8Array.from({ length: 32 }, (_, index) => index * 7);
    expect(uuidV8(hash)).toBe('00070e15-1c23-8a31-b83f-464d545b6269');
    expect(uuidV8(hash)).toBe(uuidV8(hash.slice(0, 16)));
    expect(() => uuidV8(hash.slice(0, 15))).toThrow(RangeError);
  });
});

describe('a UUID', () => {
  it.each([
    ['b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c01', true],
    ['B2A6A7D0-6C4E-4A56-9D0B-2F1D1F6D2C01', true],
    ['b2a6a7d06c4e4a569d0b2f1d1f6d2c01', false],
    ['b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c0', false],
    ['{b2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c01}', false],
    ['g2a6a7d0-6c4e-4a56-9d0b-2f1d1f6d2c01', false],
  ])('%s: %s', (text, known) => {
    expect(isUuid(text)).toBe(known);
  });
});
