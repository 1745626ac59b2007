import { pickLanes } from './projection-batch.js';

const backlog = [
  { lane: 0, behind: 3 },
  { lane: 2, behind: 100 },
  { lane: 7, behind: 5 },
];

describe('pickLanes', () => {
  test.each([
    [
      'begins with the first lane when none came before',
      -1,
      10,
      [
        [0, 3],
        [2, 7],
      ],
    ],
    ['goes on after the last lane', 0, 10, [[2, 10]]],
    [
      'takes lanes in turn, and the first again after the last',
      2,
      10,
      [
        [7, 5],
        [0, 3],
        [2, 2],
      ],
    ],
    [
      'begins again after the highest lane',
      64,
      4,
      [
        [0, 3],
        [2, 1],
      ],
    ],
    [
      'takes all when all fit',
      1,
      1_000,
      [
        [2, 100],
        [7, 5],
        [0, 3],
      ],
    ],
  ])('%s', (_name, lastLane, eventsMax, expected) => {
    const picked = pickLanes(backlog, lastLane, eventsMax);
    expect(picked.map(({ lane, behind }) => [lane, behind])).toEqual(expected);
  });

  test('picks nothing of nothing', () => {
    expect(pickLanes([], 5, 10)).toEqual([]);
  });
});
