import { afterDraws, debtOf, drawsFor, withGrant } from './grants.js';
import type { Grant } from './state.js';

function grant(ordinal: number, left: number, changes: Partial<Grant> = {}): Grant {
  const id = `grant-${ordinal}`;
  const kind = 'purchased';
  return {
    ordinal,
    id,
    kind,
    credits: left,
    left,
    priority: 100,
    expiresAt: null,
    grantedAt: 0,
    ...changes,
  };
}

describe('the order in which grants are drawn', () => {
  it.each<[string, Grant[], number[]]>([
    ['lower priority first', [grant(1, 5), grant(2, 5, { priority: 50 })], [2, 1]],
    [
      'then the earliest expiry',
      [grant(1, 5, { expiresAt: 9 }), grant(2, 5, { expiresAt: 8 })],
      [2, 1],
    ],
    [
      'one that expires before one that never does',
      [grant(1, 5), grant(2, 5, { expiresAt: 8 })],
      [2, 1],
    ],
    ['then the oldest', [grant(1, 5), grant(2, 5), grant(3, 5)], [1, 2, 3]],
    [
      'priority before expiry',
      [grant(1, 5, { expiresAt: 1 }), grant(2, 5, { priority: 1 })],
      [2, 1],
    ],
  ])('is %s', (_rule, grants, ordinals) => {
    const ordered = grants.reduce<readonly Grant[]>(withGrant, []);
    expect(ordered.map(({ ordinal }) => ordinal)).toEqual(ordinals);
  });
});

describe('drawing', () => {
  const grants = [grant(1, 30), grant(2, 50), grant(3, 5)];

  it.each<[number, [number, number][]]>([
    [0, []],
    [10, [[1, 10]]],
    [30, [[1, 30]]],
    [
      31,
      [
        [1, 30],
        [2, 1],
      ],
    ],
    [
      85,
      [
        [1, 30],
        [2, 50],
        [3, 5],
      ],
    ],
    [
      99,
      [
        [1, 30],
        [2, 50],
        [3, 5],
      ],
    ],
  ])('a cost of %d takes %j and leaves the rest as debt', (cost, draws) => {
    expect(drawsFor(grants, cost)).toEqual(draws);
  });

  it('drops a grant with nothing left and keeps the others in order', () => {
    const after = afterDraws(grants, [
      [1, 30],
      [3, 2],
    ]);
    expect(after.map(({ ordinal, left }) => [ordinal, left])).toEqual([
      [2, 50],
      [3, 3],
    ]);
  });

  it.each<[string, [number, number][]]>([
    ['more than a grant holds', [[1, 31]]],
    ['from a grant that is not there', [[4, 1]]],
  ])('refuses to take %s', (_what, draws) => {
    expect(() => afterDraws(grants, draws)).toThrow();
  });

  it('knows a debt as a negative balance', () => {
    expect([debtOf(-7), debtOf(0), debtOf(7)]).toEqual([7, 0, 0]);
  });
});
