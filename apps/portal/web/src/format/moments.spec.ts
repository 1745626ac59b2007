import {
  formatDate,
  formatDistance,
  formatExact,
  formatMoment,
  formatStretch,
  momentHint,
} from './moments.js';

const AT = '2026-11-23T23:59:59.999Z';

test('a moment reads in the zone that is asked for', () => {
  expect(formatMoment(AT, 'UTC')).toBe('23 Nov 2026, 23:59');
  expect(formatMoment(AT, 'Europe/Paris')).toBe('24 Nov 2026, 00:59');
  expect(formatExact(AT, 'UTC')).toBe('23 Nov 2026, 23:59:59');
  expect(formatDate(AT, 'Asia/Seoul')).toBe('24 Nov 2026');
});

test('the hover shows the billing zone and the moment as it stands in the data', () => {
  expect(momentHint(AT, 'Asia/Seoul')).toBe(`24 Nov 2026, 08:59:59 Asia/Seoul · ${AT}`);
});

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

test.each([
  [2 * DAY + 8 * HOUR + 5 * MINUTE, '2 d 8 h'],
  [3 * HOUR + 5 * MINUTE + SECOND, '3 h 5 min'],
  [4 * MINUTE + 9 * SECOND, '4 min 9 s'],
  [999, '0 s'],
  [-5 * DAY, '0 s'],
])('%p ms that are left read %p', (ms, text) => {
  expect(formatStretch(ms)).toBe(text);
});

test.each([
  [3 * DAY + HOUR, 'in 3 days'],
  [-5 * MINUTE, '5 minutes ago'],
  [26 * HOUR, 'in 26 hours'],
  [10 * SECOND, 'in a moment'],
  [-10 * SECOND, 'just now'],
])('a moment %p ms away is %p', (ms, text) => {
  const now = Date.parse(AT);
  expect(formatDistance(new Date(now + ms).toISOString(), now)).toBe(text);
});
