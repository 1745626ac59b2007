import type { UnsettledCall } from './messages.js';
import { openCalls, recordedLine, struckLine } from './unanswered-lines.js';

const CALL: UnsettledCall = {
  accountId: '0197c000-0000-7000-8000-00000000000a',
  callId: '0197c000-0000-7000-9000-000000000001',
};
const KEYED = { ...CALL, requestId: '0197c000-0000-7000-a000-000000000002' };

test('what is recorded and not struck out is open, with all that settling it needs', () => {
  const text =
    recordedLine(1, CALL) + recordedLine(2, KEYED) + recordedLine(3, CALL) + struckLine(3);
  expect(openCalls([text])).toEqual([CALL, KEYED]);
});

test('a call that is struck out in one file is struck out in all', () => {
  const files = [recordedLine(1, CALL) + recordedLine(12, KEYED), recordedLine(1, CALL), '-1\n'];
  expect(openCalls(files)).toEqual([KEYED]);
  expect(openCalls(files.toReversed())).toEqual([KEYED]);
});

test('a torn last line names no call and strikes none out', () => {
  const text = recordedLine(1, CALL) + recordedLine(11, KEYED);
  for (let bytes = 0; bytes < recordedLine(2, KEYED).length; bytes += 1) {
    expect(openCalls([text + recordedLine(2, KEYED).slice(0, bytes)])).toEqual([CALL, KEYED]);
  }
  expect(openCalls([`${text}-1`])).toEqual([CALL, KEYED]);
});

test('lines that are none are passed over', () => {
  expect(openCalls(['', '\n\n+\n+1 x y\nnoise\n', recordedLine(2, CALL)])).toEqual([CALL]);
});
