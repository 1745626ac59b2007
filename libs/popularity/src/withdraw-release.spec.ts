import { Calendar } from '#calendar/calendar.js';
import { decideRelease } from './decide-release.js';
import type { PublishedRelease } from './release-events.js';
import { ReleaseSchedule } from './release-schedule.js';
import { decideWithdrawal } from './withdraw-release.js';

const windows = new Calendar('UTC');
/** The window 2026w48 begins. */
const STARTS = Date.parse('2026-11-24T00:00:00Z');
const counts = { categories: 1, brands: 2, relations: 3, volumes: 4 };

function released(label: string, window: string, withdrawnAt?: number): PublishedRelease {
  const load = Number(label.slice(1));
  const of = { label, window, through: '2026-10-01', sha256: label, load, publishedAt: 0, counts };
  return withdrawnAt === undefined ? of : { ...of, withdrawnAt };
}

const R1 = released('r1', '2026w47');
const R2 = released('r2', '2026w48');
const TAKEN = released('r2', '2026w48', 1);

function withdraw(label: string, now: number, published: readonly PublishedRelease[] = [R1, R2]) {
  return decideWithdrawal({ published, label, now, windows });
}

it.each([
  ['days before', STARTS - 3 * 86_400_000],
  ['10 s before, so that every process hears of it', STARTS - 10_000],
])('a release is withdrawn %s its window begins', (_when, now) => {
  expect(withdraw('r2', now)).toEqual({
    outcome: 'withdraw',
    data: { release: 'r2', window: '2026w48', serving: 'r1' },
  });
});

it.each<[string, ReturnType<typeof withdraw>, object]>([
  [
    'less than 10 s before',
    withdraw('r2', STARTS - 9_999),
    { outcome: 'refused', reason: expect.stringMatching(/begins in less than 10 s/) },
  ],
  [
    'once it serves',
    withdraw('r2', STARTS),
    { outcome: 'refused', reason: expect.stringMatching(/has begun.*Import the right files/) },
  ],
  [
    'the first one, which serves at once',
    withdraw('r1', STARTS - 86_400_000),
    { outcome: 'refused', reason: expect.stringMatching(/2026w47 of release r1 has begun/) },
  ],
  [
    'twice',
    withdraw('r2', STARTS - 86_400_000, [R1, TAKEN]),
    { outcome: 'refused', reason: 'Release r2 was withdrawn already.' },
  ],
  [
    'one that is not there',
    withdraw('r3', 0),
    { outcome: 'unknown', reason: 'There is no release r3. Releases: r1, r2.' },
  ],
])('a release is not withdrawn: %s', (_when, decision, expected) => {
  expect(decision).toEqual(expected);
});

it('one that was withdrawn serves no window, and is found by its name by those who have it', () => {
  const schedule = new ReleaseSchedule([R1, TAKEN]);
  expect(schedule.serving('2026w50')).toBe(R1);
  expect(schedule.byLabel('r2')).toBe(TAKEN);
  expect(new ReleaseSchedule([released('r1', '2026w48', 1)]).first()).toBeUndefined();
});

it('its files make a new release again, under a label that was never used', () => {
  const candidate = { sha256: 'r2', through: '2026-10-01', load: 9, tables: {}, counts };
  const question = { candidate, requested: null, now: STARTS - 86_400_000, windows };
  expect(decideRelease({ ...question, published: [R1, R2] })).toMatchObject({
    outcome: 'unchanged',
  });
  expect(decideRelease({ ...question, published: [R1, TAKEN] })).toMatchObject({
    outcome: 'publish',
    data: { release: 'r3', window: '2026w48' },
  });
});

it('after the only release was withdrawn the next one serves at once', () => {
  const candidate = { sha256: 'x', through: '2026-10-01', load: 9, tables: {}, counts };
  const published = [released('r1', '2026w48', 1)];
  const now = STARTS - 86_400_000;
  expect(decideRelease({ published, candidate, requested: null, now, windows })).toMatchObject({
    data: { release: 'r2', window: '2026w47' },
  });
});
