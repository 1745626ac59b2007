import { Calendar } from '#calendar/calendar.js';
import type { PublishedRelease } from '#popularity/release-events.js';
import { missingRelease } from './release-watch.js';

const calendar = new Calendar('UTC');
const DAY = 24 * 3_600_000;
/** 2026w49 begins. */
const TUESDAY = Date.UTC(2026, 11, 1);

function released(label: string, window: string): PublishedRelease {
  const counts = { categories: 0, brands: 0, relations: 0, volumes: 0 };
  const of = { through: '2026-10-01', sha256: '', load: 1, publishedAt: 0, counts };
  return { label, window, ...of };
}

const old = released('r1', '2026w47');

test('a day before a window without a release of its own it is said which one will serve', () => {
  expect(missingRelease([old], calendar, TUESDAY - DAY)).toMatchObject({
    type: 'ReleaseMissing',
    at: TUESDAY - DAY,
    data: { window: '2026w49', window_starts_at: '2026-12-01T00:00:00Z', serving: 'r1' },
  });
});

test.each([
  ['more than a day before', [old], TUESDAY - DAY - 1],
  ['when the window has a release', [old, released('r2', '2026w49')], TUESDAY - 1],
  ['when nothing was ever released', [], TUESDAY - 1],
  ['when only later windows have releases', [released('r1', '2026w50')], TUESDAY - 1],
])('nothing is said %s', (_when, releases, now) => {
  expect(missingRelease(releases, calendar, now)).toBeNull();
});

test('a window that a clock change makes shorter is missed 24 hours before it begins, too', () => {
  const berlin = new Calendar('Europe/Berlin');
  const start = berlin.windowOf('2027w13')?.startsAt ?? 0;
  expect(missingRelease([old], berlin, start - DAY)).not.toBeNull();
  expect(missingRelease([old], berlin, start - DAY - 1)).toBeNull();
});
