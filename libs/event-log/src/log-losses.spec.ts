import type { LostPositions } from './lane-continuity.js';
import { countLost, keepsNumbers, lossText, unrecorded } from './log-losses.js';

function loss(lane: number, from: number, to: number | null): LostPositions {
  return { lane, from, to };
}

describe('a loss', () => {
  const table: [string, LostPositions, LostPositions[], boolean][] = [
    ['is reported where nobody reported one', loss(3, 9, 5), [], true],
    ['is reported once', loss(3, 9, 5), [loss(3, 9, 5)], false],
    ['of another lane is reported', loss(4, 9, 5), [loss(3, 9, 5)], true],
    ['of a process that knew less is reported already', loss(3, 7, 5), [loss(3, 9, 5)], false],
    ['of a process that knew more is reported', loss(3, 10, 5), [loss(3, 9, 5)], true],
    ['noticed after the lane had grown is reported already', loss(3, 9, 7), [loss(3, 9, 5)], false],
    [
      'noticed after it had grown past is reported already',
      loss(3, 9, null),
      [loss(3, 9, 5)],
      false,
    ],
    ['that reaches lower is reported', loss(3, 9, 4), [loss(3, 9, 5)], true],
  ];
  test.each(table)('%s', (_name, lost, standing, isUnrecorded) => {
    expect(unrecorded([lost], standing)).toEqual(isUnrecorded ? [lost] : []);
  });

  test('keeps numbers back only in lane 0', () => {
    expect([keepsNumbers([loss(0, 2, 1)]), keepsNumbers([loss(1, 2, 1)])]).toEqual([true, false]);
  });

  test('is counted and shown', () => {
    const lost = [loss(17, 1204, 1180), loss(0, 9, null)];
    expect(lost.map(countLost)).toEqual([24, 1]);
    expect(lost.map(lossText)).toEqual(['lane 17: 1,204 to 1,180', 'lane 0: 9 to another history']);
  });
});
