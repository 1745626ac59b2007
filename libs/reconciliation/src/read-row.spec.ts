import { readHeader, textsIn, textsOf } from './log-columns.js';
import { RowReader, type RowOutcome } from './read-row.js';

/** A path is its own place. */
const PATHS = { placeOf: (path: string) => path as unknown as number };

const URL = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const AT = Date.UTC(2026, 10, 24, 9);
const ID = '0197c000-0000-7000-8000-000000000001';

function read(members: Readonly<Record<string, unknown>>): RowOutcome {
  return new RowReader(PATHS).read(
    7,
    textsIn({ time: '2026-11-24T09:00:00Z', url: URL, ...members }),
  );
}

describe('a row of a log', () => {
  const row = { line: 7, at: AT, path: URL, callId: null, requestId: null, credits: null };

  it.each<[string, object, object]>([
    ['with time and URL', {}, {}],
    ['with seconds', { time: AT / 1_000 }, {}],
    ['with milliseconds', { time: String(AT + 7) }, { at: AT + 7 }],
    ['with milliseconds in text', { time: '2026-11-24T09:00:59.999Z' }, { at: AT + 59_999 }],
    ['with an offset', { time: '2026-11-24T10:00:00.250+01:00' }, { at: AT + 250 }],
    ['with a whole URL', { url: `https://api.example.com${URL}?a=b#c` }, {}],
    ['with a listing in its short form', { url: '/v1/cat1/trends/top5/popindex/us/beauty' }, {}],
    [
      'with the key of a week',
      { url: URL.replace('latest', '2026w47') },
      { path: URL.replace('latest', '2026w47') },
    ],
    [
      'with ids and credits',
      { call_id: ID, request_id: ID, credits: 35 },
      { callId: ID, requestId: ID, credits: 35 },
    ],
    ['with a Request-Id of its own kind', { request_id: 'r-1' }, {}],
    ['with the status of a charged answer', { status: 304 }, {}],
  ])('%s is read', (_what, members, changed) => {
    expect(read(members as Record<string, unknown>)).toEqual({
      outcome: 'row',
      row: { ...row, ...changed },
    });
  });

  it.each<[string, object]>([
    ['a free URL', { url: '/v1/account' }],
    ['a URL that is none of the service', { url: 'https://example.com/' }],
    ['a refused call', { status: 402 }],
  ])('about %s is ignored', (_what, members) => {
    expect(read(members as Record<string, unknown>)).toEqual({ outcome: 'ignored' });
  });

  it.each<[string, object, string]>([
    ['of a minute that is none', { time: '2026-11-24T24:00:00Z' }, 'The time "2026-11-24T24'],
    ['of a day that is none', { time: '2026-02-30T09:00:00Z' }, 'The time "2026-02-30'],
    ['without an offset', { time: '2026-11-24 09:00:00' }, 'The time "2026-11-24 09:00:00"'],
    ['with another Call-Id', { call_id: 'call-1' }, 'The Call-Id "call-1" is no UUID'],
    ['with half a credit', { credits: 0.5 }, 'The credits "0.5"'],
    ['with a status in words', { status: 'OK' }, 'The status "OK"'],
  ])('%s is a fault', (_what, members, detail) => {
    const outcome = read(members as Record<string, unknown>);
    expect(outcome).toEqual({ outcome: 'fault', detail: expect.stringContaining(detail) });
  });
});

describe('a header', () => {
  it('names columns in any order and spelling', () => {
    const columns = readHeader(['Call-Id', 'ignored', 'URL', 'Timestamp', 'credits_used']);
    if (typeof columns === 'string') throw new Error(columns);
    const texts = textsOf(columns, [ID, 'x', ` ${URL} `, '1', '35']);
    expect(texts).toEqual({
      time: '1',
      url: URL,
      callId: ID,
      requestId: '',
      credits: '35',
      status: '',
    });
  });

  it('without time or URL is none', () => {
    expect(readHeader(['time;url'])).toBe('The separator is ";": separate columns by commas.');
    expect(readHeader(['time', 'id'])).toBe('The header has no column "url".');
  });
});
