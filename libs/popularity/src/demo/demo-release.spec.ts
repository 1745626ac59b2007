import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import type { Resource } from '#rating/resource.js';
import { createTestDatabase, type TestDatabase } from '../../../../test/setup/test-database.js';
import { writeDemoRelease } from './demo-release.js';
import { importRelease } from '../import-release.js';
import { NaivePopularity } from '../naive-popularity.suite.js';
import { PostgresReleases } from '../postgres-releases.js';
import { readRelease } from '../read-release.js';
import { DEFAULT_REGIONS, REGIONS, serveRegions } from '../regions.js';
import type { Release } from '../releases.js';

/** Of the demo data through October 2026: a change of the generator changes it on purpose only. */
const DEMO_SHA256 = 'fb8433da9e8b98844d4ee222c98751f003222fc5a1d664a492cba4cd26562c11';

let database: TestDatabase;
let pool: ReturnType<typeof openDatabase>;
let directory: string;
let naive: NaivePopularity;
let releases: PostgresReleases;
let release: Release;
let seconds: number;

beforeAll(async () => {
  directory = await mkdtemp(path.join(tmpdir(), 'popindex-demo-'));
  await writeDemoRelease(directory, '2026-10-01');
  naive = new NaivePopularity(directory);
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'demo test' });
  const stream = new SystemStream(new PostgresEventLog(pool));
  const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') };
  const windows = new Calendar('UTC');
  const outcome = await importRelease({ pool, stream, windows, clock }, directory);
  if (outcome.outcome !== 'published') throw new Error(`The demo data is ${outcome.outcome}.`);
  release = outcome.release;
  seconds = outcome.seconds;
  releases = new PostgresReleases({ pool, stream, dashboardUrl: 'http://localhost/dashboard' });
  await releases.refresh();
});

afterEach(() => serveRegions(DEFAULT_REGIONS));

afterAll(async () => {
  await pool.end();
  await database.drop();
  await rm(directory, { recursive: true, force: true });
});

async function dataOf(resource: Resource): Promise<Record<string, unknown>> {
  const outcome = await releases.answer(release, resource);
  if (outcome.outcome !== 'found') throw new Error(outcome.detail);
  return JSON.parse(`${outcome.answer.data}}`) as Record<string, unknown>;
}

function idOf(level: string, slug: string): string {
  const found = naive.categories.find((row) => row.level === level && row.slug === slug);
  if (found?.id === undefined) throw new Error(`The demo has no ${level} ${slug}.`);
  return found.id;
}

function dashboard(page: string): string {
  return `http://localhost/dashboard/${page}`;
}

describe('the demo data', () => {
  it('is the same on every machine', async () => {
    const hash = createHash('sha256');
    for (const file of ['categories', 'brands', 'relations', 'volumes']) {
      hash.update(await readFile(path.join(directory, `${file}.csv`)));
    }
    expect(hash.digest('hex')).toBe(DEMO_SHA256);
  });

  it('refuses a month that is none', async () => {
    await expect(writeDemoRelease(directory, '2026-10')).rejects.toThrow(RangeError);
  });

  it('has all regions, the four groups and 48 months', () => {
    const volumes = new Set(
      REGIONS.flatMap((region) => [...naive.months(idOf('cat5', 'acne'), region).keys()]),
    );
    expect([...volumes].toSorted().at(0)).toBe('2022-11-01');
    expect([...volumes].toSorted().at(-1)).toBe('2026-10-01');
    const groups = new Set(naive.relations.map(({ group }) => group));
    expect(groups).toEqual(new Set(['ingredients', 'concerns', 'skin-types', 'formats']));
    expect(naive.categories.filter(({ level }) => level === 'cat5').length).toBeGreaterThan(300);
    expect(new Set(naive.brands.map(({ id }) => id)).size).toBeGreaterThan(140);
  });

  it('is imported in two seconds, or ten on a busy machine', () => {
    expect(seconds).toBeLessThan(10);
  });
});

describe('answers on the demo data equal an independent calculation:', () => {
  it.each(REGIONS)('all trends and all brands of beauty in %s', async (region) => {
    const id = idOf('cat1', 'beauty');
    const listing = { level: 'cat1', limit: 'all', region, category: 'beauty' } as const;
    const head = {
      cat1_id: id,
      cat1_label: 'Beauty',
      dashboard: dashboard(`categories/${id}?country=${region}`),
    };
    const trends = await dataOf({ resource: 'trends', ...listing });
    expect(trends).toEqual({
      ...head,
      trends: naive.ranked(naive.leavesBelow(id), region, 'cat5'),
    });
    const brands = await dataOf({ resource: 'brands', ...listing });
    expect(brands).toEqual({ ...head, brands: naive.ranked(naive.brandsOf(id), region, 'brand') });
  });

  it.each([
    ['top5', 5],
    ['top100', 100],
  ] as const)('%s is the head of the ranked list', async (limit, rows) => {
    const id = idOf('cat1', 'beauty');
    const asked = { resource: 'trends', level: 'cat1', limit, region: 'fr', category: 'beauty' };
    const { trends } = await dataOf(asked as Resource);
    expect(trends).toEqual(naive.ranked(naive.leavesBelow(id), 'fr', 'cat5').slice(0, rows));
  });

  it('brands count for the categories above theirs, not for those below', async () => {
    for (const [level, slug] of [
      ['cat2', 'skincare'],
      ['cat3', 'face-care'],
    ] as const) {
      const expected = naive.ranked(naive.brandsOf(idOf(level, slug)), 'us', 'brand');
      expect(expected.length).toBeGreaterThan(5);
      const asked = { resource: 'brands', level, limit: 'all', region: 'us', category: slug };
      expect((await dataOf(asked as Resource)).brands).toEqual(expected);
    }
  });

  it.each([
    ['cat1', 'beauty', 'ingredients', 'global'],
    ['cat2', 'haircare', 'concerns', 'us'],
    ['cat3', 'face-care', 'skin-types', 'jp'],
    ['cat4', 'serums', 'formats', 'kr'],
    ['cat5', 'niacinamide-serum', 'ingredients', 'gb'],
    ['cat5', 'niacinamide', 'concerns', 'global'],
    ['cat5', 'acne', 'ingredients', 'fr'],
  ] as const)('related trends of %s %s, %s in %s', async (level, slug, group, region) => {
    const category = idOf(level, slug);
    const related = naive.relatedTo(category, group);
    const shape = level === 'cat5' ? 'related_trend' : 'cat5';
    const asked = { resource: 'related-trends', level, limit: 'all', region, category, group };
    const data = await dataOf(asked as Resource);
    const expected = naive.ranked(related, region, shape);
    expect(expected.length).toBeGreaterThan(1);
    expect(data).toEqual({
      [`${level}_id`]: category,
      dashboard: dashboard(`categories/${category}?related=${group}&country=${region}`),
      trends: expected,
    });
    expect(Object.keys((data.trends as object[])[0] ?? {})).toEqual(Object.keys(expected[0] ?? {}));
  });

  it('time series of every twentieth item, in every region where it has points', async () => {
    const leaves = [...naive.leavesBelow(idOf('cat1', 'beauty'))];
    const brands = [...new Set(naive.brands.map((brand) => brand.id ?? ''))];
    let compared = 0;
    for (const [type, items] of [
      ['cat5', leaves],
      ['brand', brands],
    ] as const) {
      for (const item of items.filter((_, index) => index % 20 === 0)) {
        for (const region of REGIONS) {
          const expected = naive.points(item, region);
          const asked = { resource: 'timeseries', type, region, item } as const;
          const outcome = await releases.answer(release, asked);
          expect(outcome.outcome).toBe(expected.length === 0 ? 'no-data' : 'found');
          if (outcome.outcome !== 'found') continue;
          expect((await dataOf(asked)).timeseries).toEqual(expected);
          compared += 1;
        }
      }
    }
    expect(compared).toBeGreaterThan(100);
  });
});

it('is made for the regions of the service', async () => {
  serveRegions(['de', 'global']);
  const own = path.join(directory, 'own-regions');
  await writeDemoRelease(own, '2026-10-01');
  const read = await readRelease(own);
  if (read.outcome !== 'read') throw new Error(JSON.stringify(read));
  const { series } = read.content;
  const having = (region: string) => series.filter(({ byRegion }) => byRegion.has(region)).length;
  expect(having('de')).toBeGreaterThan(series.length * 0.9);
  expect(having('global')).toBeLessThan(series.length * 0.2);
});
