import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import type { Resource } from '#rating/resource.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { importRelease } from './import-release.js';
import { PostgresReleases } from './postgres-releases.js';
import {
  ACNE,
  BRAND,
  GOOD_FILES,
  releaseDirectory,
  SERUM,
  type ReleaseFiles,
} from './release-files.suite.js';

const WEEK_MS = 7 * 24 * 3600 * 1000;
const START = Date.parse('2026-11-21T12:00:00Z');

let database: TestDatabase;
let pool: pg.Pool;
let now: number;

beforeEach(async () => {
  now = START;
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'releases test' });
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

function stream(): SystemStream {
  return new SystemStream(new PostgresEventLog(pool));
}

function releasesOf(): PostgresReleases {
  return new PostgresReleases({
    pool,
    stream: stream(),
    dashboardUrl: 'https://popindex.example/dashboard',
    pollMs: 5,
  });
}

/** Imports a release a week after the last one. */
async function publish(files: ReleaseFiles = {}): Promise<void> {
  const { directory, remove } = await releaseDirectory({ ...GOOD_FILES, ...files });
  const clock = { now: () => now };
  const windows = new Calendar('UTC');
  const outcome = await importRelease({ pool, stream: stream(), windows, clock }, directory);
  await remove();
  expect(outcome.outcome).toBe('published');
  now += WEEK_MS;
}

const TRENDS: Resource = {
  resource: 'trends',
  level: 'cat1',
  limit: 'all',
  region: 'us',
  category: 'beauty',
};
const BRAND_SERIES: Resource = {
  resource: 'timeseries',
  type: 'brand',
  region: 'global',
  item: BRAND,
};

describe('the published releases', () => {
  it('are none before the first', async () => {
    const releases = releasesOf();
    await releases.refresh();
    expect([releases.first(), releases.serving('2026w47')]).toEqual([undefined, undefined]);
  });

  it('serve from their windows on', async () => {
    await publish();
    await publish({ 'brands.csv': GOOD_FILES['brands.csv'].replace('Orla', 'Orlo') });
    const releases = releasesOf();
    await releases.refresh();
    const serving = ['2026w46', '2026w47', '2026w48', '2026w49', '2027w10'].map(
      (window) => releases.serving(window)?.label,
    );
    // The second was imported inside 2026w48, which it must not change.
    expect(serving).toEqual([undefined, 'r1', 'r1', 'r2', 'r2']);
    expect(releases.first()?.label).toBe('r1');
    expect(releases.byLabel('r2')?.through).toBe('2026-10-01');
    expect(releases.byLabel('r3')).toBeUndefined();
  });

  it('are seen by a process that is running already', async () => {
    const releases = releasesOf();
    releases.start();
    await publish();
    const isSeen = (): boolean => releases.serving('2026w47') !== undefined;
    while (!isSeen()) await new Promise((resolve) => setImmediate(resolve));
    releases.stop();
    expect(releases.first()?.label).toBe('r1');
  });

  it('are looked for again after the log was away', async () => {
    await publish();
    const log = stream();
    const errors: unknown[] = [];
    let looks = 0;
    const releases = new PostgresReleases({
      pool,
      stream: {
        read: (fold) => {
          looks += 1;
          return looks < 3 ? Promise.reject(new Error('The log is away.')) : log.read(fold);
        },
      },
      dashboardUrl: '',
      pollMs: 1,
      onError: (error) => errors.push(error),
    });
    releases.start();
    while (releases.first() === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    releases.stop();
    expect(errors).toHaveLength(2);
  });
});

describe('an answer', () => {
  async function answerOf(resource: Resource) {
    const releases = releasesOf();
    await releases.refresh();
    const release = releases.serving('2030w01');
    if (release === undefined) throw new Error('There is no release.');
    return releases.answer(release, resource);
  }

  it('is text that lacks the costs and the closing brace', async () => {
    await publish();
    const outcome = await answerOf({
      resource: 'related-trends',
      level: 'cat5',
      limit: 'top5',
      region: 'us',
      category: SERUM,
      group: 'concerns',
    });
    const page = `https://popindex.example/dashboard/categories/${SERUM}`;
    const dashboard = `${page}?related=concerns&country=us`;
    expect(outcome).toEqual({
      outcome: 'found',
      answer: {
        rows: 1,
        unchangedSince: '2026w47',
        data:
          `{"cat5_id":"${SERUM}","dashboard":"${dashboard}","trends":[` +
          `{"related_trend_id":"${ACNE}","related_trend_label":"Acne","rank":1,` +
          `"popularity":16.25,"yoy_percent_increase":null,"yoy_absolute_increase":null,` +
          `"qoq_percent_increase":null,"qoq_absolute_increase":null,` +
          `"mom_percent_increase":60.0008,"mom_absolute_increase":8,` +
          `"google_share_percent":0.923074,"tiktok_share_percent":0.076923,` +
          `"instagram_share_percent":0.000003,"life_cycle":"growing"}]`,
      },
    });
  });

  it('of a time series holds its points alone', async () => {
    await publish();
    const outcome = await answerOf(BRAND_SERIES);
    const dashboard = `https://popindex.example/dashboard/brands/${BRAND}?country=global`;
    expect(outcome).toMatchObject({
      answer: {
        data:
          `{"brand_id":"${BRAND}","dashboard":"${dashboard}",` +
          `"timeseries":[{"date":"2026-10-01","real_volume":7}]`,
      },
    });
  });

  const LISTS = (level: string): string => `/v1/catalog?level=${level} lists what there is.`;
  it.each<[string, Resource, string]>([
    [
      'the level where a category is',
      { ...TRENDS, level: 'cat2' },
      `There is no category "beauty" at cat2: it is a category at cat1. ${LISTS('cat2')}`,
    ],
    [
      'a list where there is none of that name',
      { ...TRENDS, category: 'film' },
      `There is no category "film" at cat1. ${LISTS('cat1')}`,
    ],
    [
      'that an id is a brand',
      { ...BRAND_SERIES, type: 'cat5' },
      `"${BRAND}" is a brand: ask for it with "brand" in the place of "cat5".`,
    ],
    [
      'that an id is a category',
      { ...BRAND_SERIES, item: ACNE },
      `There is no brand "${ACNE}": it is a category at cat5. ${LISTS('brand')}`,
    ],
  ])('that is refused names %s', async (_what, resource, detail) => {
    await publish();
    expect(await answerOf(resource)).toEqual({ outcome: 'unknown-item', detail });
  });

  it.each<[string, Resource, string]>([
    ['another level', { ...TRENDS, level: 'cat2' }, 'unknown-item'],
    ['another slug', { ...TRENDS, category: 'film' }, 'unknown-item'],
    [
      'an id of another level',
      {
        resource: 'related-trends',
        level: 'cat4',
        limit: 'all',
        region: 'us',
        category: ACNE,
        group: 'concerns',
      },
      'unknown-item',
    ],
    [
      'a group that names nothing',
      {
        resource: 'related-trends',
        level: 'cat5',
        limit: 'all',
        region: 'us',
        category: SERUM,
        group: 'formats',
      },
      'no-data',
    ],
    ['a region without rows', { ...TRENDS, region: 'kr' }, 'no-data'],
    ['brands of a region without rows', { ...TRENDS, resource: 'brands' }, 'no-data'],
    ['a brand asked for as a category', { ...BRAND_SERIES, type: 'cat5' }, 'unknown-item'],
    ['a category asked for as a brand', { ...BRAND_SERIES, item: ACNE }, 'unknown-item'],
    ['a series without points', { ...BRAND_SERIES, region: 'us' }, 'no-data'],
  ])('is refused for %s', async (_name, resource, outcome) => {
    await publish();
    expect((await answerOf(resource)).outcome).toBe(outcome);
  });

  it('of a release that the log does not hold is an error', async () => {
    const releases = releasesOf();
    const release = { label: 'r9', window: '2026w47', through: '2026-10-01' };
    await expect(releases.answer(release, TRENDS)).rejects.toThrow('There is no release r9.');
  });

  it('is computed once for all who ask at the same time', async () => {
    await publish();
    const releases = releasesOf();
    await releases.refresh();
    const release = releases.first();
    if (release === undefined) throw new Error('There is no release.');
    const query = jest.spyOn(pool, 'query');
    const outcomes = await Promise.all(
      Array.from({ length: 50 }, () => releases.answer(release, { ...TRENDS })),
    );
    expect(new Set(outcomes.map((outcome) => JSON.stringify(outcome))).size).toBe(1);
    // The category and its rows.
    expect(query).toHaveBeenCalledTimes(2);
  });
});

describe('the window since which an answer is unchanged', () => {
  it('goes back through all releases whose answers are equal, and no further', async () => {
    const brand = (name: string): ReleaseFiles => ({
      'brands.csv': GOOD_FILES['brands.csv'].replace('Orla', name),
    });
    await publish();
    await publish(brand('Orlo'));
    await publish({ 'volumes.csv': GOOD_FILES['volumes.csv'].replace(',20,0,', ',21,0,') });
    await publish(brand('Orlo'));
    await publish(brand('Orlu'));
    const releases = releasesOf();
    await releases.refresh();
    const since = async (resource: Resource): Promise<(string | null)[]> => {
      const outcomes = await Promise.all(
        releases.published().map((release) => releases.answer(release, resource)),
      );
      return outcomes.map((each) => (each.outcome === 'found' ? each.answer.unchangedSince : null));
    };
    const windows = ['2026w47', '2026w49', '2026w50', '2026w51', '2026w52'];
    expect(releases.published().map(({ window }) => window)).toEqual(windows);
    const expected = ['2026w47', '2026w47', '2026w50', '2026w51', '2026w51'];
    expect(await since(TRENDS)).toEqual(expected);
    expect(await since(TRENDS)).toEqual(expected);
    expect(await since(BRAND_SERIES)).toEqual(Array(5).fill('2026w47'));
    expect(await since({ ...TRENDS, resource: 'brands', region: 'global' })).toEqual(windows);
  });
});
