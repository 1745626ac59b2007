import { terms } from '#account/scenario.suite.js';
import { threadOfSources } from '../../../../test/setup/thread-of-sources.js';
import { waitFor } from '../../../../test/setup/wait-for.js';
import { PROJECTION_NAMES, allProjections } from '../projections/projections.js';
import { LANE, SoundLog } from '../verify/sound-log.suite.js';
import { ProjectionThread } from './projection-thread.js';

const PROJECTIONS = allProjections(terms.calendar);
const PROGRAM = threadOfSources('libs/projections/src/projection-thread/projection-program.ts');
const BROKEN = new URL('data:text/javascript,process.exit(3)');

let log: SoundLog;
let thread: ProjectionThread;
let faults: [string, string, boolean][];
let startedOver: [string, readonly number[]][];

beforeEach(async () => {
  log = await SoundLog.make();
  faults = [];
  startedOver = [];
});

afterEach(async () => {
  await thread.stop();
  await log.drop();
});

function open(program: URL): ProjectionThread {
  thread = new ProjectionThread({
    databaseUrl: log.url,
    zone: terms.calendar.zone,
    projections: PROJECTIONS,
    pool: log.pool,
    onError: (projection, error, fatal) => faults.push([projection, String(error), fatal]),
    onStartOver: (projection, lanes) => startedOver.push([projection, lanes]),
    onIdleError: () => undefined,
    program,
  });
  return thread;
}

function states(): string[] {
  return thread.status().map(({ name, state }) => `${name} ${state}`);
}

/** Every projection forgets what it has seen of a lane. */
async function forget(): Promise<void> {
  await log.sql('update checkpoint set position = 0 where lane = $1', [LANE]);
  for (const { tables } of PROJECTIONS) {
    for (const table of tables) await log.sql(`truncate ${table}`);
  }
}

test('all projections are kept up with the log, and rest when they are stopped', async () => {
  await forget();
  open(PROGRAM).start();
  const { rows } = await log.pool.query('select position from lane where lane = $1', [LANE]);
  const end = new Map([[LANE, Number(rows[0].position)]]);
  for (const name of PROJECTION_NAMES) expect(await thread.catchUp(name, end, 20_000)).toBe(true);
  expect(states()).toEqual(PROJECTION_NAMES.map((name) => `${name} running`));
  await thread.stop();
  expect(states()).toEqual(PROJECTION_NAMES.map((name) => `${name} stopped`));
  expect(faults).toEqual([]);
});

test('a projection whose table is missing says so, and goes on by itself', async () => {
  await log.sql('alter table audit_entry rename to elsewhere');
  await log.sql(`update checkpoint set position = 0 where projection = 'audit'`);
  open(PROGRAM).start();
  await waitFor('a fault', () => faults.length > 0);
  expect(faults[0]).toEqual(['audit', expect.stringContaining('audit_entry'), false]);
  await waitFor('its state', () => states().includes('audit waiting-for-database'));
  const waiting = thread.status().find(({ name }) => name === 'audit');
  expect(waiting).toMatchObject({ error: { code: '42P01' } });
  await log.sql('truncate elsewhere');
  await log.sql('alter table elsewhere rename to audit_entry');
  await waitFor('the audit', () => states().includes('audit running'));
});

test('a projection that cannot apply an event reports why, alone, and begins again on request', async () => {
  await log.sql('alter table audit_entry add constraint none check (position < 0) not valid');
  await log.sql(`update checkpoint set position = 0 where projection = 'audit'`);
  await log.sql('truncate audit_entry');
  open(PROGRAM).start();
  await waitFor('a fault', () => faults.length > 0);
  expect(faults).toEqual([['audit', expect.stringContaining('audit_entry'), true]]);
  const failed = thread.status().find(({ name }) => name === 'audit');
  // A cluster leaves the code out where many rows are refused.
  const code = expect.stringMatching(/^(?:23514|XX000)$/);
  expect(failed).toMatchObject({ state: 'failed', error: { code } });
  await log.sql('alter table audit_entry drop constraint none');
  thread.start();
  await waitFor('the audit', () => states().includes('audit running'));
});

test('lanes that end before the checkpoints are applied again from their first event', async () => {
  const tables = PROJECTIONS.flatMap((projection) => projection.tables);
  const rows = async (): Promise<unknown[]> =>
    Promise.all(
      tables.map(async (table) => {
        const all = await log.pool.query(`select t::text as row from ${table} t order by 1`);
        return all.rows;
      }),
    );
  const before = await rows();
  await log.sql('update checkpoint set position = position + 7 where lane = $1', [LANE]);
  await log.sql('update window_part set credits_used[1] = 1 where lane = $1', [LANE]);
  open(PROGRAM).start();
  await waitFor('all start over', () => startedOver.length === PROJECTION_NAMES.length);
  expect(new Map(startedOver)).toEqual(new Map(PROJECTION_NAMES.map((name) => [name, [LANE]])));
  await waitFor('all is applied', async () =>
    [...(await thread.lag()).values()].every((n) => n === 0),
  );
  expect(await rows()).toEqual(before);
  expect(await log.verify()).toMatchObject({ intact: true });
  expect(faults).toEqual([]);
});

test('a thread that hangs is replaced, and its projections have not failed', async () => {
  const hanging = `import { parentPort } from 'node:worker_threads';
    parentPort.postMessage([['ask', 1, 'serving', null]]);
    parentPort.on('message', (messages) => {
      for (const [, , name] of messages) {
        if (name === 'stop') return parentPort.close();
        if (name === 'wake') for (;;);
      }
    });`;
  open(new URL(`data:text/javascript,${encodeURIComponent(hanging)}`)).start();
  thread.wake();
  await waitFor('the faults', () => faults.length === PROJECTION_NAMES.length, 30_000);
  expect(faults[0]).toEqual(['ledger', 'Error: The thread hangs.', false]);
  expect(states()).toEqual(PROJECTION_NAMES.map((name) => `${name} running`));
}, 60_000);

test('a thread that ends unasked has failed with all its projections', async () => {
  open(BROKEN).start();
  await waitFor('the faults', () => faults.length === PROJECTION_NAMES.length);
  expect(states()).toEqual(PROJECTION_NAMES.map((name) => `${name} failed`));
  expect(faults[0]).toEqual(['ledger', expect.stringContaining('ended with 3'), true]);
});
