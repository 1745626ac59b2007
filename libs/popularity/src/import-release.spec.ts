import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { LogUnavailableError } from '#event-log/event-log.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import {
  importRelease,
  type ImportDependencies,
  type ImportProgress,
  type ReleaseStream,
} from './import-release.js';
import { RELEASES } from './release-events.js';
import { GOOD_FILES, releaseDirectory, type ReleaseFiles } from './release-files.suite.js';

const TABLES = [
  'release_load',
  'release_category',
  'release_brand',
  'release_brand_category',
  'release_relation',
  'release_series',
  'release_figure',
];
const NOW = Date.parse('2026-11-21T12:00:00Z');

let database: TestDatabase;
let pool: pg.Pool;
let dependencies: ImportDependencies;
const removals: (() => Promise<void>)[] = [];

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'import test' });
  dependencies = {
    pool,
    stream: new SystemStream(new PostgresEventLog(pool)),
    windows: new Calendar('UTC'),
    clock: { now: () => NOW },
  };
});

afterEach(async () => {
  await pool.end();
  await database.drop();
  for (const remove of removals.splice(0)) await remove();
});

async function directoryOf(files: ReleaseFiles = {}): Promise<string> {
  const { directory, remove } = await releaseDirectory({ ...GOOD_FILES, ...files });
  removals.push(remove);
  return directory;
}

/** The same release with a brand of another name: other files, as good. */
function variant(name: string): ReleaseFiles {
  return { 'brands.csv': GOOD_FILES['brands.csv'].replace('Orla', name) };
}

/** Numbers of loads that a table holds rows of. */
async function loadsIn(table: string): Promise<number[]> {
  const { rows } = await pool.query<{ load: number }>(
    `select distinct load from ${table} order by load`,
  );
  return rows.map(({ load }) => load);
}

async function published(): Promise<string[]> {
  const releases = await dependencies.stream.read(RELEASES);
  return releases.map(({ label, window, load }) => `${label} ${window} load ${load}`);
}

it('a good directory is loaded and published, and says what it held', async () => {
  const outcome = await importRelease(dependencies, await directoryOf());
  expect(outcome).toMatchObject({
    outcome: 'published',
    rows: 3,
    release: {
      label: 'r1',
      window: '2026w47',
      through: '2026-10-01',
      publishedAt: NOW,
      counts: { categories: 6, brands: 1, relations: 1, volumes: 3 },
    },
  });
  for (const table of TABLES) expect(await loadsIn(table)).toEqual([1]);
});

it('one fault in the last line, and nothing is taken', async () => {
  const bad = `${GOOD_FILES['volumes.csv']}nonsense\n`;
  const outcome = await importRelease(dependencies, await directoryOf({ 'volumes.csv': bad }));
  expect(outcome).toMatchObject({ outcome: 'faulty', total: 1 });
  expect(await published()).toEqual([]);
  for (const table of TABLES) expect(await loadsIn(table)).toEqual([]);
});

it('a failure while loading leaves nothing behind', async () => {
  await pool.query(`alter table release_figure add check (region <> 'us')`);
  await expect(importRelease(dependencies, await directoryOf())).rejects.toThrow('violates check');
  expect(await published()).toEqual([]);
  for (const table of TABLES) expect(await loadsIn(table)).toEqual([]);
});

it('the same files again change nothing and say so, whatever window is asked for', async () => {
  const directory = await directoryOf();
  await importRelease(dependencies, directory);
  for (const window of [null, '2027w03']) {
    const outcome = await importRelease(dependencies, directory, { window });
    expect(outcome).toMatchObject({ outcome: 'unchanged', release: { label: 'r1' } });
  }
  expect(await published()).toEqual(['r1 2026w47 load 1']);
  expect(await loadsIn('release_load')).toEqual([1]);
});

it('the files of an older release make a new one', async () => {
  const first = await directoryOf();
  await importRelease(dependencies, first);
  await importRelease(dependencies, await directoryOf(variant('Orlo')), { window: '2026w50' });
  await importRelease(dependencies, first);
  expect(await published()).toEqual([
    'r1 2026w47 load 1',
    'r2 2026w50 load 2',
    'r3 2026w48 load 3',
  ]);
});

it('a dry run checks, says where the release would begin, and writes nothing', async () => {
  const outcome = await importRelease(dependencies, await directoryOf(), { dryRun: true });
  expect(outcome).toMatchObject({ outcome: 'checked', window: '2026w47', rows: 3 });
  expect(await published()).toEqual([]);
  expect(await loadsIn('release_load')).toEqual([]);
});

it('what is missing of the release that serves now is counted, in a dry run too', async () => {
  const first = await importRelease(dependencies, await directoryOf());
  expect(first).toMatchObject({ outcome: 'published', dropped: null });
  const smaller = await directoryOf({
    'categories.csv': GOOD_FILES['categories.csv'].replace(/.*,serum,.*\n/, ''),
    'relations.csv': 'category_id,group,related_id\n',
    'brands.csv': 'id,label,category_id\n',
    'volumes.csv': GOOD_FILES['volumes.csv'].replace(/.*,global,.*\n/, ''),
  });
  const dropped = { release: 'r1', categories: 1, brands: 1 };
  const checked = await importRelease(dependencies, smaller, { dryRun: true });
  expect(checked).toMatchObject({ outcome: 'checked', dropped });
  const taken = await importRelease(dependencies, smaller);
  expect(taken).toMatchObject({ outcome: 'published', dropped });
  // The release that begins next week is not the one that serves now.
  const back = await importRelease(dependencies, await directoryOf(variant('Orlo')));
  expect(back).toMatchObject({ outcome: 'published', dropped: null });
});

it('data older than that of the release which it replaces is said, in a dry run too', async () => {
  expect(await importRelease(dependencies, await directoryOf())).toMatchObject({ olderThan: null });
  const older = await directoryOf({
    'volumes.csv': GOOD_FILES['volumes.csv'].replaceAll('2026-', '2023-'),
  });
  const olderThan = { release: 'r1', through: '2026-10-01' };
  for (const dryRun of [true, false]) {
    expect(await importRelease(dependencies, older, { dryRun })).toMatchObject({ olderThan });
  }
});

it('a window that has begun is refused before anything is read', async () => {
  const outcome = await importRelease(dependencies, '/nowhere', { window: '2026w47' });
  const reason = 'window 2026w47 has begun already';
  expect(outcome).toMatchObject({ outcome: 'refused', reason });
});

it('what a crash before publishing left is invisible, and gone after the next one', async () => {
  const stream: ReleaseStream = {
    read: (fold) => dependencies.stream.read(fold),
    append: () => Promise.reject(new LogUnavailableError('The log is away.')),
  };
  const crashing = importRelease({ ...dependencies, stream }, await directoryOf(variant('Orlo')));
  await expect(crashing).rejects.toThrow(LogUnavailableError);
  expect(await published()).toEqual([]);
  expect(await loadsIn('release_figure')).toEqual([1]);
  await importRelease(dependencies, await directoryOf());
  expect(await published()).toEqual(['r1 2026w47 load 2']);
  for (const table of TABLES) expect(await loadsIn(table)).toEqual([2]);
});

it('a publication whose answer was lost is not loaded a second time', async () => {
  const directory = await directoryOf();
  const stream: ReleaseStream = {
    read: (fold) => dependencies.stream.read(fold),
    append: async (fold, decide) => {
      await dependencies.stream.append(fold, decide);
      throw new LogUnavailableError('The answer was lost.');
    },
  };
  await expect(importRelease({ ...dependencies, stream }, directory)).rejects.toThrow('lost');
  expect(await importRelease(dependencies, directory)).toMatchObject({ outcome: 'unchanged' });
  for (const table of TABLES) expect(await loadsIn(table)).toEqual([1]);
});

it('imports that run at once leave exactly the rows of what they published', async () => {
  const names = ['Orla', 'Orlo', 'Orlu', 'Orly'];
  const directories = await Promise.all(names.map((name) => directoryOf(variant(name))));
  const outcomes = await Promise.all(
    directories.map((directory) => {
      const stream = new SystemStream(new PostgresEventLog(pool));
      return importRelease({ ...dependencies, stream }, directory);
    }),
  );
  const releases = await dependencies.stream.read(RELEASES);
  const succeeded = outcomes.filter(({ outcome }) => outcome === 'published');
  expect(releases).toHaveLength(succeeded.length);
  expect(releases.length).toBeGreaterThan(0);
  expect(releases.map(({ label }) => label)).toEqual(releases.map((_, index) => `r${index + 1}`));
  for (const table of TABLES) {
    expect(await loadsIn(table)).toEqual(releases.map(({ load }) => load));
  }
});

it('the same files imported twice at once are published once', async () => {
  const directory = await directoryOf();
  const outcomes = await Promise.all(
    [1, 2].map(() => {
      const stream = new SystemStream(new PostgresEventLog(pool));
      return importRelease({ ...dependencies, stream }, directory);
    }),
  );
  const names = outcomes.map(({ outcome }) => outcome).toSorted();
  expect(names).toEqual(['published', 'unchanged']);
  expect(await published()).toHaveLength(1);
  expect(await loadsIn('release_load')).toHaveLength(1);
});

it('progress goes from checking through loading to publishing', async () => {
  const seen: ImportProgress[] = [];
  await importRelease(dependencies, await directoryOf(), {
    onProgress: (progress) => seen.push(progress),
  });
  const stages = seen.map(({ stage }) => stage);
  expect(stages).toEqual(stages.toSorted());
  expect(new Set(stages)).toEqual(new Set(['checking', 'loading', 'publishing']));
  const checked = seen.filter(({ stage }) => stage === 'checking').at(-1);
  expect(checked).toMatchObject({ file: 'volumes.csv', rows: 3, bytes: checked?.totalBytes });
});
