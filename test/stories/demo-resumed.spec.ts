import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { verifyLane } from '#event-log/verify-lane.js';
import { DEMO_ACCOUNT_ID } from '../../apps/standalone/src/demo-account.js';
import { DataFolder } from '../setup/data-folder.js';
import { inLong } from '../setup/long.js';
import { Program, type Environment } from '../setup/program.js';
import { ADMIN_TOKEN } from '../setup/service.js';
import { freePorts } from '../setup/started-service.js';
import { TcpProxy } from '../setup/tcp-proxy.js';
import { createTestDatabase, type TestDatabase } from '../setup/test-database.js';
import { waitFor } from '../setup/wait-for.js';

const START_MS = 200_000;

let databases: TestDatabase[];
let data: DataFolder;
let proxy: TcpProxy;

beforeAll(async () => {
  await Program.build();
  data = await DataFolder.make();
  databases = [await createTestDatabase(), await createTestDatabase()];
  proxy = await TcpProxy.start(databases[0]!.url);
}, START_MS);

afterAll(async () => {
  await proxy.stop();
  for (const database of databases) await database.drop();
  await data.remove();
});

async function startOn(url: string, env: Environment = {}): Promise<Program> {
  const settings = { DATABASE_URL: url, ADMIN_TOKEN, DATA_DIR: data.path, ...(await freePorts()) };
  return Program.start({ ...settings, DEMO: 'true', LOG_LEVEL: 'fatal', ...env });
}

/** How many events of a type the log has. */
async function count({ url }: TestDatabase, type: string): Promise<number> {
  const pool = openDatabase({ url, applicationName: 'demo-resumed-spec' });
  const { rows } = await pool.query<{ n: string }>(
    'select count(*) as n from event where type = $1',
    [type],
  );
  await pool.end();
  return Number(rows[0]?.n);
}

/** Commands of the demo up to a moment, as its log holds them. */
async function demoUpTo(database: TestDatabase, end: number): Promise<readonly string[]> {
  const events = await demoEvents(database);
  return events
    .filter(({ at, callId, type }) => at < end && callId !== null && !type.startsWith('Invoice'))
    .map(({ callId, type, at, data: body }) => `${callId} ${type} ${at} ${costOf(type, body)}`);
}

function costOf(type: string, body: string): string {
  const { cost } = JSON.parse(body) as { cost?: readonly number[] };
  return type === 'CallMade' ? String(cost) : '';
}

async function demoEvents({ url, groups }: TestDatabase): Promise<readonly StoredEvent[]> {
  const pool = openDatabase({ url, applicationName: 'demo-resumed-spec' });
  const log = new PostgresEventLog(pool, groups);
  const lane = laneOf(DEMO_ACCOUNT_ID);
  expect(await verifyLane(log, lane)).toMatchObject({ verdict: 'intact' });
  const events = await log.readAccount(DEMO_ACCOUNT_ID, 0, 100_000);
  await pool.end();
  return events;
}

/** Of a first start, by the number of events of a type, and how it ends there. */
type Moment = readonly [type: string, least: number, how: 'away' | 'killed' | 'interrupted'];

const MOMENTS: readonly Moment[] = [
  ['SellerChanged', 1, 'away'],
  ...inLong<Moment>(['ReleasePublished', 1, 'away'], ['AccountOpened', 1, 'killed']),
  ['CallMade', 1, 'away'],
  ['CallMade', 700, 'interrupted'],
  ...inLong<Moment>(['CallMade', 1_200, 'away']),
  ['InvoiceNumbered', 1, 'killed'],
];

test(
  'a first start whose database goes away, or that is killed or interrupted, leaves nothing half: the next ones go on to the same demo, and say so',
  async () => {
    const [broken, whole] = databases as [TestDatabase, TestDatabase];
    for (const [type, least, how] of MOMENTS) {
      const program = await startOn(proxy.url, how === 'interrupted' ? { LOG_LEVEL: 'info' } : {});
      let hasEnded = false;
      void program.ended.then(() => (hasEnded = true));
      await waitFor(`${least} ${type}`, async () => {
        if (hasEnded) throw new Error(`It ended: ${program.stderr}`);
        return (await count(broken, type)) >= least;
      });
      if (how === 'killed') {
        await program.stop('SIGKILL');
      } else if (how === 'interrupted') {
        expect(await program.interrupt()).toBe(0);
        expect(program.stderr).toContain('An earlier start ended while it loaded the demo');
      } else {
        proxy.setMode('refuse');
        expect([type, least, await program.ended, program.stdout]).toEqual([type, least, 1, '']);
        expect(program.stderr).toMatch(/^DATABASE_URL: the database at \S+ does not answer.*\n$/);
        proxy.setMode('pass');
      }
    }
    const resumed = await startOn(proxy.url);
    await resumed.ready();
    expect(await resumed.stop()).toBe(0);
    const inOneGo = await startOn(whole.url);
    await inOneGo.ready();
    expect(await inOneGo.stop()).toBe(0);

    const [first] = await demoEvents(broken);
    expect(first?.type).toBe('AccountOpened');
    for (const type of [
      'ReleasePublished',
      'SellerChanged',
      'PaymentRecorded',
      'InvoiceNumbered',
    ]) {
      expect([type, await count(broken, type)]).toEqual([type, await count(whole, type)]);
    }
    const calls = (await demoEvents(broken)).filter(({ type }) => type === 'CallMade');
    const upTo = calls.at(-1)?.at ?? 0;
    expect(calls.length).toBeGreaterThan(1_000);
    expect(await demoUpTo(broken, upTo)).toEqual(await demoUpTo(whole, upTo));
  },
  3 * START_MS,
);
