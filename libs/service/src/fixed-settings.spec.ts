import { openDatabase } from '#database/database.js';
import { NOTHING } from '#event-log/fold.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { DEFAULT_REGIONS } from '#popularity/regions.js';
import { DEFAULT_SOURCES } from '#popularity/sources.js';
import { createTestDatabase, type TestDatabase } from '../../../test/setup/test-database.js';
import { checkSettings, fixedBillingZone, fixSettings } from './fixed-settings.js';

let database: TestDatabase;
let pool: ReturnType<typeof openDatabase>;
let system: SystemStream;

beforeEach(async () => {
  database = await createTestDatabase();
  pool = openDatabase({ url: database.url, applicationName: 'fixed settings' });
  system = new SystemStream(new PostgresEventLog(pool));
});

afterEach(async () => {
  await pool.end();
  await database.drop();
});

const settings = (
  regions: string,
  billingTimeZone = 'UTC',
  sources: readonly string[] = DEFAULT_SOURCES,
) => ({ billingTimeZone, regions: regions.split(','), sources });

function start(regions: string, zone?: string): Promise<void> {
  return fixSettings(system, settings(regions, zone), 0);
}

/** Type and data of every event of the system. */
async function events(): Promise<string[]> {
  const { rows } = await pool.query<{ text: string }>(
    `select type || ' ' || data as text from event where lane = 0 order by position`,
  );
  return rows.map(({ text }) => text);
}

test('a service with the default regions has the event that it always had', async () => {
  await start(DEFAULT_REGIONS.join(','), 'Europe/Vienna');
  await start(DEFAULT_REGIONS.toReversed().join(','), 'europe/vienna');
  expect(await events()).toEqual(['BillingZoneSet {"zone":"Europe/Vienna"}']);
  expect(await fixedBillingZone(system)).toBe('Europe/Vienna');
});

test('the first start fixes the regions; a later one may add some, and never lacks one', async () => {
  await start('de,at');
  await start('ch,at,de,global');
  await start('at,de,global,ch');
  expect(await events()).toEqual([
    'BillingZoneSet {"zone":"UTC","regions":["de","at"]}',
    'RegionsAdded {"regions":["ch","global"]}',
  ]);
  const words =
    'takes de,at,ch,global, which this database has served, and more; it lacks ch, global';
  await expect(start('de,at')).rejects.toThrow(new Error(`REGIONS: ${words}`));
  await expect(checkSettings(system, settings('de,at'))).rejects.toThrow(words);
  expect(await events()).toHaveLength(2);
});

test('the first start fixes the sources and their order', async () => {
  const own = settings(DEFAULT_REGIONS.join(','), 'UTC', ['searches', 'visits']);
  await fixSettings(system, own, 0);
  await fixSettings(system, own, 0);
  expect(await events()).toEqual(['BillingZoneSet {"zone":"UTC","sources":["searches","visits"]}']);
  for (const sources of [['visits', 'searches'], ['searches'], DEFAULT_SOURCES]) {
    const words = `takes searches,visits, with which this database began; it is "${sources.join(',')}"`;
    await expect(fixSettings(system, { ...own, sources }, 0)).rejects.toThrow(
      new Error(`SOURCES: ${words}`),
    );
  }
});

test('a log that began before there was a choice has the default regions', async () => {
  const began = { callId: null, type: 'BillingZoneSet', at: 0, data: { zone: 'UTC' } };
  await system.append(NOTHING, () => began);
  await expect(start('de,at', 'Europe/Vienna')).rejects.toThrow(
    new Error(
      'BILLING_TIME_ZONE: takes UTC, in which this database has charged; it is "Europe/Vienna"\n' +
        'REGIONS: takes us,gb,fr,kr,jp,global, which this database has served, and more; ' +
        'it lacks us, gb, fr, kr, jp, global',
    ),
  );
});

test('whoever only reads fixes nothing', async () => {
  await checkSettings(system, settings('de,at'));
  expect(await events()).toEqual([]);
  await start('de,at');
  await checkSettings(system, settings('de,at,ch'));
  expect(await events()).toHaveLength(1);
});
