import { currentZoneName, differs, startOfDay } from './zones.js';

test.each([
  ['2026-11-24', 'UTC', '2026-11-24T00:00:00.000Z'],
  ['2026-11-24', 'Asia/Seoul', '2026-11-23T15:00:00.000Z'],
  ['2026-11-24', 'America/New_York', '2026-11-24T05:00:00.000Z'],
  // Clocks go back and forward on these days.
  ['2026-10-25', 'Europe/Vienna', '2026-10-24T22:00:00.000Z'],
  ['2026-10-26', 'Europe/Vienna', '2026-10-25T23:00:00.000Z'],
  ['2026-03-29', 'Europe/Vienna', '2026-03-28T23:00:00.000Z'],
  ['2026-03-30', 'Europe/Vienna', '2026-03-29T22:00:00.000Z'],
])('%s in %s begins at %s', (day, zone, at) => {
  expect(startOfDay(day, zone)).toBe(at);
});

test('zones of the same clocks do not differ, and those of one season do', () => {
  expect(differs('Europe/Vienna', 'Europe/Berlin')).toBe(false);
  expect(differs('UTC', 'Europe/London')).toBe(true);
});

test('a zone is called by the name that it has now', () => {
  expect(['Asia/Calcutta', 'Europe/Kiev', 'Asia/Seoul'].map(currentZoneName)).toEqual([
    'Asia/Kolkata',
    'Europe/Kyiv',
    'Asia/Seoul',
  ]);
  for (const zone of ['Asia/Calcutta', 'Europe/Kiev', 'America/Buenos_Aires']) {
    expect(differs(zone, currentZoneName(zone))).toBe(false);
  }
});
