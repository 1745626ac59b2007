import { randomBytes } from 'node:crypto';
import { quickest } from '../../../../test/setup/quickest.js';
import { openedWith } from './readable.js';
import { TextKey } from './text-key.js';

const key = new TextKey('abcdefgh', randomBytes(64));
const other = new TextKey('abcdefgh', randomBytes(64));

describe('a text that was encrypted', () => {
  it('is the same each time, says nothing, and opens to what it was', () => {
    for (const text of ['', 'a', 'Agreed by phone. ✓', '"\\', 'x'.repeat(2_000)]) {
      const token = key.encrypt(text);
      expect(token).toBe(new TextKey(key.id, key.secret).encrypt(text));
      expect(token).toMatch(/^~abcdefgh[\w-]{16,}$/);
      expect(key.open(token.slice(9))).toBe(text);
    }
  });

  it('opens to nothing by another key, or when it was changed', () => {
    const encrypted = key.encrypt('Agreed by phone.').slice(9);
    expect(other.open(encrypted)).toBeUndefined();
    const changed = (encrypted.startsWith('A') ? 'B' : 'A') + encrypted.slice(1);
    expect(key.open(changed)).toBeUndefined();
    expect(key.open('short')).toBeUndefined();
  });

  it('is found anywhere in a value, as a name too', () => {
    const tags = { [key.encrypt('team')]: key.encrypt('growth') };
    const value = { reason: key.encrypt('He said "no".'), tags, other: '~no token' };
    expect(openedWith(key, value)).toEqual({
      reason: 'He said "no".',
      tags: { team: 'growth' },
      other: '~no token',
    });
    expect(openedWith(other, value)).toEqual({ reason: '', tags: {}, other: '~no token' });
  });

  it('costs a call with two tags less than 10 µs', async () => {
    const calls = 20_000;
    const withinMs = (calls * 10) / 1_000;
    const tookMs = await quickest(withinMs, async () => {
      const startedAt = performance.now();
      for (let call = 0; call < calls; call++) {
        key.encrypt('team');
        key.encrypt(`growth-${call % 50}`);
      }
      return performance.now() - startedAt;
    });
    expect(tookMs).toBeLessThan(withinMs);
  });
});
