import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Calendar } from '#calendar/calendar.js';
import { UNANSWERED_FOLDER } from '#charging-link/unanswered-calls.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { writeDemoRelease } from '#popularity/demo/demo-release.js';
import { importRelease } from '#popularity/import-release.js';
import { KilledCalls } from '../setup/killed-calls.js';
import { isLong } from '../setup/long.js';
import { Service, type ServiceClient } from '../setup/service.js';
import type { ServiceProcess } from '../setup/service-process.js';
import { SplitService } from '../setup/split-service.js';
import { createTestDatabase } from '../setup/test-database.js';
import { waitFor } from '../setup/wait-for.js';

/** Of each kind of process. */
const KILLS = isLong ? 25 : 1;
const PATH = '/v1/latest/cat1/trends/top5/popindex/us/beauty';
const SETTLED_MS = 60_000;
const START_MS = 20_000;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'popindex-kills-'));
  await writeDemoRelease(path.join(folder, 'release'), '2026-10-01');
});

afterAll(() => rm(folder, { recursive: true, force: true }));

async function importDemoData(url: string): Promise<void> {
  const pool = openDatabase({ url, applicationName: 'kills-spec' });
  const stream = new SystemStream(new PostgresEventLog(pool));
  const clock = { now: () => Date.now() };
  const parts = { pool, stream, windows: new Calendar('UTC'), clock };
  await importRelease(parts, path.join(folder, 'release'));
  await pool.end();
}

/** A customer without a call yet, of a service whose release serves. */
async function customerOf(service: ServiceClient) {
  const other = await service.customer(1_000);
  await waitFor('the release serves', async () => (await other.get(PATH)).status === 200);
  const rate_limit = { per_second: 100_000, burst: 100_000 };
  return service.customer(100_000_000, { rate_limit });
}

/** Kills the process under load, starts another each time, and checks answers against the log. */
async function killUnderLoad(
  calls: KilledCalls,
  parts: {
    readonly process: () => ServiceProcess;
    readonly restart: () => Promise<void>;
    readonly dataDir: string;
  },
): Promise<void> {
  for (let kill = 0; kill < KILLS; kill += 1) {
    await calls.callUntilKilled(200 + 37 * (kill % 7), () => parts.process().stop('SIGKILL'));
    await parts.restart();
  }
  await calls.retry();
  const unanswered = async () => (await calls.unanswered()).length;
  await waitFor(
    'every unanswered call is given back',
    async () => (await unanswered()) === 0,
    SETTLED_MS,
  );
  const { calls: givenBack, inDoubt } = await calls.givenBack();
  const receipts = await calls.checkReceipts();
  // Half of the callers ask for them.
  expect(receipts).toBeGreaterThan(calls.answers / 4);
  process.stdout.write(
    `${KILLS} kills, ${calls.answers} answers: ${givenBack} calls given back, ${inDoubt} of them in doubt, ` +
      `${receipts} receipts hold\n`,
  );
  await parts.process().stop();
  expect(await readdir(path.join(parts.dataDir, UNANSWERED_FOLDER))).toEqual([]);
}

test(
  'after kills of the whole service no call is charged that was never answered, and every receipt holds',
  async () => {
    const dataDir = path.join(folder, 'standalone');
    const service = await Service.start({ DEMO: 'false', DATA_DIR: dataDir });
    try {
      await importDemoData(service.databaseUrl);
      const calls = new KilledCalls(await customerOf(service), service.databaseUrl);
      await killUnderLoad(calls, {
        process: () => service.process,
        restart: () => service.restart(),
        dataDir,
      });
    } finally {
      await service.stop();
    }
  },
  120_000 + KILLS * START_MS,
);

test(
  'after kills of an API process no call is charged that was never answered, and every receipt holds',
  async () => {
    const dataDir = path.join(folder, 'api');
    const database = await createTestDatabase();
    await importDemoData(database.url);
    const service = await SplitService.start(database.url, { DATA_DIR: dataDir });
    try {
      const calls = new KilledCalls(await customerOf(service), database.url);
      await killUnderLoad(calls, {
        process: () => service.api,
        restart: () => service.restartApi(),
        dataDir,
      });
    } finally {
      await service.stop();
      await database.drop();
    }
  },
  120_000 + KILLS * START_MS,
);
