import fc from 'fast-check';
import { OpenedKeys } from './opened-keys.js';

describe('OpenedKeys', () => {
  it('leaves an empty set empty, whatever settles that began with it', () => {
    const empty = OpenedKeys.of();
    empty.plus('k1').plus('k2').compact();
    expect([...empty]).toEqual([]);
  });

  it('holds exactly the keys that were added, whatever the order of adding and settling', () => {
    const step = fc.oneof(
      fc.integer({ min: 0, max: 300 }).map((n) => ({ add: `k${n}` })),
      fc.constant('settle' as const),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const model = new Set<string>();
        let keys = OpenedKeys.of();
        for (const what of steps) {
          if (what === 'settle') keys.compact();
          else {
            keys = keys.plus(what.add);
            model.add(what.add);
          }
        }
        expect(keys.size).toBe(model.size);
        expect([...keys].toSorted()).toEqual([...model].toSorted());
        for (let n = 0; n <= 300; n += 1) expect(keys.has(`k${n}`)).toBe(model.has(`k${n}`));
      }),
    );
  });

  it('leaves an older set as it was when a key is added', () => {
    let keys = OpenedKeys.of(['settled']);
    const older = Array.from({ length: 200 }, (_, n) => {
      const before = keys;
      keys = keys.plus(`k${n}`);
      return before;
    });
    older.forEach((set, n) => {
      expect(set.size).toBe(n + 1);
      expect(set.has(`k${n}`)).toBe(false);
    });
  });
});
