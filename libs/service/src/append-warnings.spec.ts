import { appendWarnings } from './append-warnings.js';

const UNNAMED = { lanes: [0, 1], address: 'db1:5432', isNamed: false };
const SILENT = { lanes: [2, 3], address: 'db2:5432', isNamed: true };
const NONE = { lanes: [], why: '' };

test('each worker that calls do not go straight to is named, with why', () => {
  expect(appendWarnings([], NONE)).toEqual([]);
  expect(appendWarnings([UNNAMED, SILENT], NONE)).toEqual([
    'Calls are written to db1:5432 through the coordinator: DATABASE_URL does not name it.',
    'Calls are written to db2:5432 through the coordinator: it does not answer this process.',
  ]);
});

test('a worker whose lanes do not answer at all is not named again', () => {
  const warningsBeside = (lanes: readonly number[]) =>
    appendWarnings([SILENT], { lanes, why: 'nothing within 1000 ms' });
  expect(warningsBeside([1, 2, 3])).toEqual([]);
  expect(warningsBeside([3])).toHaveLength(1);
});
