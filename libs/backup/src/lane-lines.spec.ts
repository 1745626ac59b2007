import { parseLaneLine } from './lane-lines.js';

const ID = '0197c000-0000-7000-8000-00000000000a';
const LINE = {
  position: 1,
  account_id: ID,
  account_version: 1,
  call_id: ID,
  type: 'CallMade',
  at: '2026-11-24T09:00:00.123+00:00',
  data: '{ "n" : 1 }',
  batch: { events: 1, hash: 'ab'.repeat(32), committed_at: '2026-11-24T09:00:00.123456+00:00' },
};

test('a line is read as it stands, with the batch that it closes', () => {
  expect(parseLaneLine(JSON.stringify(LINE))).toEqual({
    position: 1,
    accountId: ID,
    accountVersion: 1,
    callId: ID,
    type: 'CallMade',
    at: LINE.at,
    data: '{ "n" : 1 }',
    batch: { events: 1, hash: LINE.batch.hash, committedAt: LINE.batch.committed_at },
  });
  const { batch: _batch, ...inside } = LINE;
  expect(parseLaneLine(JSON.stringify({ ...inside, call_id: null }))).toMatchObject({
    callId: null,
    batch: null,
  });
});

test.each<[string, object | null, string]>([
  ['null', null, 'is no JSON object'],
  ['a position of 0', { ...LINE, position: 0 }, 'position is no positive integer'],
  ['an account in upper case', { ...LINE, account_id: ID.toUpperCase() }, 'account_id is no UUID'],
  ['a version of 1.5', { ...LINE, account_version: 1.5 }, 'account_version is no positive'],
  ['a call id with a tab', { ...LINE, call_id: `${ID}\t` }, 'call_id is neither a UUID nor null'],
  ['no type', { ...LINE, type: undefined }, 'type is no text'],
  ['microseconds', { ...LINE, at: '2026-11-24T09:00:00.123456+00:00' }, 'at is no moment'],
  ['another zone', { ...LINE, at: '2026-11-24T09:00:00+01:00' }, 'at is no moment'],
  ['data that is no text', { ...LINE, data: {} }, 'data is no text'],
  [
    'an archived call',
    { ...LINE, data: `{"api_key":"archived in 3: ${'a'.repeat(43)}"}` },
    'popindex archive --bring-back all` of commit',
  ],
  [
    'an empty batch',
    { ...LINE, batch: { ...LINE.batch, events: 0 } },
    'batch.events is no positive',
  ],
  ['a short hash', { ...LINE, batch: { ...LINE.batch, hash: 'ab' } }, 'batch.hash is no SHA-256'],
  ['a batch at no time', { ...LINE, batch: { ...LINE.batch, committed_at: 1 } }, 'is no moment'],
  ['a batch that is null', { ...LINE, batch: null }, 'batch is no JSON object'],
])('a line with %s is refused', (_what, line, reason) => {
  expect(parseLaneLine(JSON.stringify(line))).toContain(reason);
});

test('a line that is no JSON is refused', () => {
  expect(parseLaneLine('{"position":1')).toBe('is no JSON');
});
