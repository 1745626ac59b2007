import fc from 'fast-check';
import { UuidRows } from './uuid-rows.js';

test('rows are found by their ids, of which the first one counts, however many there are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.uuid(), { maxLength: 1_200, minLength: 600 }),
      fc.uuid(),
      (ids, other) => {
        const rows = new UuidRows();
        const known = new Map<string, number>();
        for (const [row, id] of ids.entries()) {
          expect(rows.add(row % 2 === 0 ? id : id.toUpperCase(), row)).toBe(!known.has(id));
          if (!known.has(id)) known.set(id, row);
        }
        for (const [id, row] of known) if (rows.find(id) !== row) throw new Error(`${id} is lost.`);
        expect(new Set(rows.idsOf(() => true))).toEqual(new Set(known.keys()));
        expect([...rows.idsOf((row) => row === 0)]).toEqual([ids[0]]);
        expect(rows.find(other)).toBe(known.get(other));
      },
    ),
    { numRuns: 5 },
  );
});
