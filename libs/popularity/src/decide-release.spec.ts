import { Calendar } from '#calendar/calendar.js';
import { decideRelease, type ReleaseQuestion } from './decide-release.js';
import type { PublishedRelease } from './release-events.js';
import { ReleaseSchedule } from './release-schedule.js';

const counts = { categories: 1, brands: 2, relations: 3, volumes: 4 };
const windows = new Calendar('UTC');
/** The window 2026w47 runs from 17 to 24 November 2026. */
const NOW = Date.parse('2026-11-21T12:00:00Z');
const NEXT_STARTS = Date.parse('2026-11-24T00:00:00Z');

function released(label: string, window: string, load = Number(label.slice(1))): PublishedRelease {
  const sha256 = `files of ${label}`;
  return { label, window, through: '2026-10-01', sha256, load, publishedAt: 0, counts };
}

function question(changes: Partial<ReleaseQuestion>, files = 'new files'): ReleaseQuestion {
  const candidate = { sha256: files, through: '2026-10-01', load: 9, tables: {}, counts };
  return { published: [], candidate, requested: null, now: NOW, windows, ...changes };
}

const FIRST = released('r1', '2026w47');

describe('the window that a release begins with', () => {
  it.each<[string, Partial<ReleaseQuestion>, string]>([
    ['the first serves at once', {}, '2026w47'],
    ['a later one from the next window', { published: [FIRST] }, '2026w48'],
    ['60 s are enough', { published: [FIRST], now: NEXT_STARTS - 60_000 }, '2026w48'],
    ['less than 60 s are not', { published: [FIRST], now: NEXT_STARTS - 59_999 }, '2026w49'],
    ['the first instant of a window', { published: [FIRST], now: NEXT_STARTS }, '2026w49'],
    ['the first in the last second', { now: NEXT_STARTS - 1 }, '2026w47'],
    ['the one asked for', { published: [FIRST], requested: '2027w03' }, '2027w03'],
    ['the first may wait', { requested: '2026w53' }, '2026w53'],
    ['asked for shortly before', { requested: '2026w48', now: NEXT_STARTS - 10_000 }, '2026w48'],
    [
      'one before a release that waits',
      { published: [FIRST, released('r2', '2027w01')] },
      '2026w48',
    ],
  ])('%s', (_name, changes, window) => {
    expect(decideRelease(question(changes))).toMatchObject({
      outcome: 'publish',
      data: { window },
    });
  });

  it.each<[string, Partial<ReleaseQuestion>, string]>([
    ['a window that runs', { requested: '2026w47' }, 'window 2026w47 has begun already'],
    ['a window that is over', { requested: '2026w46' }, 'window 2026w46 has begun already'],
    [
      'a window at its first instant',
      { requested: '2026w48', now: NEXT_STARTS },
      'window 2026w48 has begun already',
    ],
    [
      'a window that not every process would hear of in time',
      { requested: '2026w48', now: NEXT_STARTS - 9_999 },
      'window 2026w48 begins in less than 10 s',
    ],
    ['no window', { requested: '2026w54' }, '"2026w54" is not the label of a window'],
    ['no label', { requested: 'next' }, '"next" is not the label of a window'],
  ])('is refused: %s', (_name, changes, reason) => {
    const refused = { outcome: 'refused', reason };
    expect(decideRelease(question({ published: [FIRST], ...changes }))).toEqual(refused);
    expect(decideRelease(question(changes))).toEqual(refused);
  });
});

describe('a release', () => {
  it('says in its event all that is needed to serve it', () => {
    expect(decideRelease(question({ published: [FIRST] }))).toEqual({
      outcome: 'publish',
      data: {
        release: 'r2',
        window: '2026w48',
        through: '2026-10-01',
        sha256: 'new files',
        load: 9,
        tables: {},
        ...counts,
      },
    });
  });

  it("made of the newest one's files changes nothing, whatever window is asked for", () => {
    const published = [FIRST, released('r2', '2026w48')];
    for (const requested of [null, '2027w03']) {
      const decision = decideRelease(question({ published, requested }, 'files of r2'));
      expect(decision).toEqual({ outcome: 'unchanged', release: published[1] });
    }
  });

  it("made of an older one's files is a new one, a way back", () => {
    const published = [FIRST, released('r2', '2026w48')];
    const decision = decideRelease(question({ published }, 'files of r1'));
    expect(decision).toMatchObject({ outcome: 'publish', data: { release: 'r3' } });
  });

  it('that was loaded before one that is published already is refused', () => {
    const published = [FIRST, released('r2', '2026w48', 10)];
    expect(decideRelease(question({ published })).outcome).toBe('refused');
  });
});

describe('the schedule', () => {
  const r1 = released('r1', '2026w47');
  const late = released('r2', '2027w01');
  const early = released('r3', '2026w49');
  const replaced = released('r4', '2026w49');
  const schedule = new ReleaseSchedule([r1, late, early, replaced]);

  it.each([
    ['2026w46', undefined],
    ['2026w47', 'r1'],
    ['2026w48', 'r1'],
    ['2026w49', 'r4'],
    ['2026w53', 'r4'],
    ['2027w01', 'r2'],
    ['2031w20', 'r2'],
  ])('serves %s from %s', (window, label) => {
    expect(schedule.serving(window)?.label).toBe(label);
  });

  it('begins with the release that serves first, not with the one published first', () => {
    const waiting = [released('r1', '2026w50'), released('r2', '2026w48')];
    expect(new ReleaseSchedule(waiting).first()?.label).toBe('r2');
    expect(new ReleaseSchedule([]).first()).toBeUndefined();
  });

  it('knows what served before, leaving out what never served', () => {
    expect(schedule.before(late)).toBe(replaced);
    expect(schedule.before(replaced)).toBe(r1);
    expect(schedule.before(r1)).toBeUndefined();
    expect(schedule.byLabel('r3')).toBe(early);
  });
});
