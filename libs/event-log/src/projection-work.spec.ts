import { laneGroups } from './event-log.js';
import { pickLanes } from './projection-work.js';

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
    const picked = pickLanes(backlog, lastLane, eventsMax, laneGroups(1));
    expect(picked.map(({ lane, behind }) => [lane, behind])).toEqual(expected);
  });

  test('picks lanes of the group that is next', () => {
    const groups = [[0, 7], [2]];
    expect(pickLanes(backlog, 0, 1_000, groups)).toEqual([{ lane: 2, behind: 100 }]);
    expect(pickLanes(backlog, 2, 1_000, groups).map(({ lane }) => lane)).toEqual([7, 0]);
  });

  test('picks nothing of nothing', () => {
    expect(pickLanes([], 5, 10, laneGroups(1))).toEqual([]);
  });
});
