import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { createTestDatabase } from '../../../test/setup/test-database.js';
import { importRelease } from './import-release.js';
import { PostgresReleases } from './postgres-releases.js';
import { GOOD_FILES, id, releaseDirectory, SERUMS } from './release-files.suite.js';

/** Label and volumes of the two newest months; the numbers of the ids follow this order. */
const ITEMS: readonly (readonly [string, readonly string[]])[] = [
  ['😀', ['1']],
  ['\uFF5E', ['1']],
  ['Äpfel', ['1']],
  ['apple', ['1']],
  ['Zebra', ['1']],
  ['apple', ['1']],
  // 1.00005 is rounded to 1: more by nothing that is shown.
  ['zoo', ['1', '1.0001']],
  ['most', ['9']],
  ['least', ['0']],
];

async function rankedLabels(directory: string, url: string): Promise<string[]> {
  const pool = openDatabase({ url, applicationName: 'ranking test' });
  try {
    const stream = new SystemStream(new PostgresEventLog(pool));
    const clock = { now: () => Date.parse('2026-11-21T12:00:00Z') };
    const windows = new Calendar('UTC');
    await importRelease({ pool, stream, windows, clock }, directory);
    const releases = new PostgresReleases({ pool, stream, dashboardUrl: '' });
    await releases.refresh();
    const release = releases.serving('2026w47');
    if (release === undefined) throw new Error('The release was not published.');
    const listing = { level: 'cat4', limit: 'all', region: 'fr', category: 'serums' } as const;
    const outcome = await releases.answer(release, { resource: 'trends', ...listing });
    if (outcome.outcome !== 'found') throw new Error(outcome.detail);
    const { trends } = JSON.parse(`${outcome.answer.data}}`) as {
      trends: { rank: number; cat5_label: string; cat5_id: string }[];
    };
    return trends.map(
      (item) => `${item.rank} ${item.cat5_label} ${Number(item.cat5_id.slice(-4))}`,
    );
  } finally {
    await pool.end();
  }
}

it('ranks follow the rounded popularity, then label and id by code point', async () => {
  const category = ([label]: (typeof ITEMS)[number], index: number): string =>
    `${id('c5', index + 100)},cat5,${label},slug-${index},${SERUMS},`;
  const volumes = ITEMS.flatMap(([, months], index) =>
    months.map(
      (volume, age) =>
        `${id('c5', index + 100)},fr,2026-${age === 0 ? '10' : '09'}-01,${volume},0,0`,
    ),
  );
  const { directory, remove } = await releaseDirectory({
    ...GOOD_FILES,
    'categories.csv': `${GOOD_FILES['categories.csv']}${ITEMS.map(category).join('\n')}\n`,
    'volumes.csv': `${GOOD_FILES['volumes.csv']}${volumes.join('\n')}\n`,
  });
  const database = await createTestDatabase();
  try {
    expect(await rankedLabels(directory, database.url)).toEqual([
      '1 most 107',
      '2 Zebra 104',
      '3 apple 103',
      '4 apple 105',
      '5 zoo 106',
      '6 Äpfel 102',
      '7 \uFF5E 101',
      '8 😀 100',
      '9 least 108',
    ]);
  } finally {
    await database.drop();
    await remove();
  }
});
