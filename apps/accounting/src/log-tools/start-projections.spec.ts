import { isDeepStrictEqual } from 'node:util';
import type { Command } from '#account/commands.js';
import {
  callAt,
  grantCredits,
  issueApiKey,
  openAccount,
  terms,
  TUESDAY,
} from '#account/scenario.suite.js';
import { openDatabase } from '#database/database.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { LEDGER } from '#projections/projections/ledger.projection.js';
import { allProjections } from '#projections/projections/projections.js';
import type { Foundations } from '#service/foundations.js';
import { Metrics } from '#service/metrics/metrics.js';
import { Shutdown } from '#web/shutdown.js';
import { createTestDatabase } from '../../../../test/setup/test-database.js';
import { accountInLane } from '../../../../test/setup/test-events.js';
import { threadOfSources } from '../../../../test/setup/thread-of-sources.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { Accounting } from '#deciding/accounting.js';
import { projectionsPart, startProjections } from './start-projections.js';

const VERIFIED = { terms: () => terms, webhookSecret: 'a-secret-of-at-least-32-characters-0123' };

const program = threadOfSources('libs/projections/src/projection-thread/projection-program.ts');
const ids = [accountInLane(3), accountInLane(50)];
const faults: unknown[] = [];
const logger = {
  info: () => undefined,
  warn: () => undefined,
  error: (fault: object) => faults.push(fault),
};
const lines: string[] = [];

/** The foundations of projections, with a log that holds a few calls. */
async function stage() {
  const database = await createTestDatabase();
  const pool = openDatabase({ url: database.url, applicationName: 'start-spec' });
  const log = new PostgresEventLog(pool);
  const clock = { now: () => TUESDAY };
  const accounting = new Accounting({
    log,
    loader: new AccountLoader(pool),
    clock,
    terms: () => terms,
    events: { onFault: (error) => faults.push(error) },
  });
  const submit = async (accountId: string, command: Command): Promise<void> => {
    const callId = crypto.randomUUID();
    const notAfter = TUESDAY + 10_000;
    const answer = { accountId, callId, isRetry: false, notAfter, command };
    const { refusal } = await accounting.submit(answer);
    if (refusal !== null) throw new Error(refusal.reason);
  };
  for (const [index, id] of ids.entries()) {
    await submit(id, openAccount());
    await submit(id, issueApiKey({ hash: `${index}`.repeat(64) }));
    await submit(id, grantCredits(100_000));
    await submit(id, callAt(TUESDAY));
  }
  await accounting.stop();
  const { calendar } = terms;
  const telemetry = {
    watchPool: (): void => undefined,
    // Each start is another process's.
    get metrics() {
      return new Metrics();
    },
  };
  const databaseUrl = database.url;
  const parts = { calendar, clock, databaseUrl, logger, pool, telemetry };
  const foundations = parts as unknown as Foundations;
  return { foundations, pool, drop: () => pool.end().then(database.drop) };
}

let made: Awaited<ReturnType<typeof stage>>;
let shutdown: Shutdown;

beforeEach(async () => {
  faults.length = 0;
  made = await stage();
  shutdown = new Shutdown((line) => lines.push(line));
});

afterEach(async () => {
  await shutdown.run();
  await made.drop();
  expect(faults).toEqual([]);
  expect(lines).toEqual([]);
});

async function counts(): Promise<unknown> {
  const { rows } = await made.pool.query(
    `select (select count(*)::int from ledger_account) as accounts,
            (select count(*)::int from ledger_opened) as opened,
            (select array_agg(distinct projection || version order by projection || version)
               from checkpoint) as versions`,
  );
  return rows[0];
}

const versions = allProjections(terms.calendar).map(({ name, version }) => `${name}${version}`);
const RIGHT = { accounts: 2, opened: 2, versions: versions.toSorted() };

test('an empty ledger is whole before the start goes on', async () => {
  const { projections } = await startProjections(made.foundations, VERIFIED, shutdown, program);
  expect(await counts()).toMatchObject({ accounts: 2, opened: 2 });
  await waitFor('the windows', async () => (await projections.lag()).get('windows') === 0);
  expect(projectionsPart(projections)).toEqual({ ready: true });
  // Each of the others keeps up by itself.
  await waitFor('all projections', async () => isDeepStrictEqual(await counts(), RIGHT));
  expect(await counts()).toEqual(RIGHT);
});

test('a ledger of an older version is rebuilt first, another projection while the service serves', async () => {
  await startProjections(made.foundations, VERIFIED, shutdown, program);
  await shutdown.run();
  shutdown = new Shutdown((line) => lines.push(line));
  await made.pool.query('update checkpoint set version = 0');
  await made.pool.query(`update ledger_account set state = '{}'`);
  const { projections, logTools } = await startProjections(
    made.foundations,
    VERIFIED,
    shutdown,
    program,
  );
  const { rowCount } = await made.pool.query(`select from ledger_account where state::text = '{}'`);
  expect(rowCount).toBe(0);
  expect(projectionsPart(projections)).toEqual({ ready: true });
  const others = allProjections(terms.calendar).filter(({ name }) => name !== LEDGER);
  await waitFor('the rebuilds', () =>
    others.every(({ name }) => logTools.rebuilds.state(name)?.state === 'done'),
  );
  expect(await counts()).toEqual(RIGHT);
  const isRunning = () => projections.status().every(({ state }) => state === 'running');
  await waitFor('all projections', isRunning);
});

test('a ledger beyond its log is made again before the start goes on, and one error says so', async () => {
  await startProjections(made.foundations, VERIFIED, shutdown, program);
  await shutdown.run();
  shutdown = new Shutdown((line) => lines.push(line));
  await made.pool.query(`update checkpoint set position = position + 3
    where projection = 'ledger' and lane = 3`);
  await made.pool.query(
    `update ledger_account set version = version + 3, state = '{}' where lane = 3`,
  );
  const loader = new AccountLoader(made.pool);
  await expect(loader.load(ids)).rejects.toThrow('The ledger of lane 3 is beyond');
  await startProjections(made.foundations, VERIFIED, shutdown, program);
  await expect(loader.load(ids)).resolves.toBeDefined();
  expect(await counts()).toEqual(RIGHT);
  expect(faults.splice(0)).toEqual([{ projection: 'ledger', lanes: [3] }]);
});

test('a ledger that a newer version has made is not decided by', async () => {
  await startProjections(made.foundations, VERIFIED, shutdown, program);
  await shutdown.run();
  shutdown = new Shutdown((line) => lines.push(line));
  await made.pool.query(`update checkpoint set version = version + 1 where projection = 'ledger'`);
  await expect(startProjections(made.foundations, VERIFIED, shutdown, program)).rejects.toThrow(
    'a newer program has made them',
  );
});
