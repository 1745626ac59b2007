import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { createTestDatabase } from '../../../test/setup/test-database.js';
import { importRelease } from './import-release.js';
import { PostgresReleases } from './postgres-releases.js';
import { RELEASE_WITHDRAWN, RELEASES } from './release-events.js';
import { GOOD_FILES, releaseDirectory, type ReleaseFiles } from './release-files.suite.js';

const NOW = Date.parse('2026-11-21T12:00:00Z');
const ORLO = { 'brands.csv': GOOD_FILES['brands.csv'].replace('Orla', 'Orlo') };
const BRANDS = {
  resource: 'brands',
  level: 'cat1',
  limit: 'all',
  region: 'global',
  category: 'beauty',
} as const;

it('processes forget a release that is withdrawn, which then serves nothing', async () => {
  const database = await createTestDatabase();
  const pool = openDatabase({ url: database.url, applicationName: 'releases test' });
  const stream = new SystemStream(new PostgresEventLog(pool));
  const publish = async (window: string | null, files: ReleaseFiles): Promise<void> => {
    const { directory, remove } = await releaseDirectory({ ...GOOD_FILES, ...files });
    const parts = { pool, stream, windows: new Calendar('UTC'), clock: { now: () => NOW } };
    const { outcome } = await importRelease(parts, directory, { window });
    expect(outcome).toBe('published');
    await remove();
  };
  await publish(null, {});
  await publish('2026w49', ORLO);
  await publish('2026w50', { ...ORLO, 'relations.csv': 'category_id,group,related_id\n' });
  const releases = new PostgresReleases({ pool, stream, dashboardUrl: 'https://d.example' });
  const takenBack = jest.fn();
  releases.onTakenBack(takenBack);
  await releases.refresh();
  const newest = { label: 'r3', window: '2026w50', through: '2026-10-01' };
  const found = (unchangedSince: string) => ({ outcome: 'found', answer: { unchangedSince } });
  expect(releases.serving('2026w49')?.label).toBe('r2');
  expect(await releases.answer(newest, BRANDS)).toMatchObject(found('2026w49'));

  const event = { callId: null, type: RELEASE_WITHDRAWN, at: NOW, data: { release: 'r2' } };
  await stream.append(RELEASES, () => event);
  await releases.refresh();
  expect(takenBack).toHaveBeenCalledTimes(1);
  expect(releases.serving('2026w49')?.label).toBe('r1');
  expect(await releases.answer(newest, BRANDS)).toMatchObject(found('2026w50'));
  await pool.end();
  await database.drop();
});
