import { Calendar } from '#calendar/calendar.js';
import { SYSTEM_ACCOUNT, type StoredEvent } from '#event-log/event-log.js';
import { RELEASE_PUBLISHED } from '#popularity/release-events.js';
import { missingRelease } from './release-watch.js';

const calendar = new Calendar('UTC');
const DAY = 24 * 3_600_000;
/** 2026w49 begins. */
const TUESDAY = Date.UTC(2026, 11, 1);

function stored(type: string, data: object, callId: string | null = null): StoredEvent {
  const event = { accountId: SYSTEM_ACCOUNT, accountVersion: 1, lane: 0, position: 1, at: 0 };
  return { ...event, callId, type, data: JSON.stringify(data) };
}

function released(release: string, window: string): StoredEvent {
  return stored(RELEASE_PUBLISHED, { release, window, through: '2026-10-01', sha256: '', load: 1 });
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
])('nothing is said %s', (_when, events, now) => {
  expect(missingRelease(events, calendar, now)).toBeNull();
});

test('it is said once for each window', () => {
  const said = missingRelease([old], calendar, TUESDAY - DAY);
  if (said === null) throw new Error('Nothing was said.');
  const events = [old, stored(said.type, said.data, said.callId)];
  expect(missingRelease(events, calendar, TUESDAY - 1)).toBeNull();
  expect(missingRelease(events, calendar, TUESDAY + 6 * DAY)).toMatchObject({
    data: { window: '2026w50' },
  });
});

test('a window that a clock change makes shorter is missed 24 hours before it begins, too', () => {
  const berlin = new Calendar('Europe/Berlin');
  const start = berlin.windowOf('2027w13')?.startsAt ?? 0;
  expect(missingRelease([old], berlin, start - DAY)).not.toBeNull();
  expect(missingRelease([old], berlin, start - DAY - 1)).toBeNull();
});
