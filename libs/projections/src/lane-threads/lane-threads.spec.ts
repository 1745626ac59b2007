import { terms } from '#account/scenario.suite.js';
import { rebuildAllToEnd, rebuildToEnd } from '#event-log/bring-up-projection.js';
import { threadOfSources } from '../../../../test/setup/thread-of-sources.js';
import { allProjections } from '../projections/projections.js';
import { LANE, OTHER_LANE, SoundLog } from '../verify/sound-log.suite.js';
import { verifyLog, type VerifyOptions, type VerifyReport } from './verify-log.js';
import { fillInThreads } from './fill-in-threads.js';
import { workInThreads, type Threads } from './lane-threads.js';

const PROJECTIONS = allProjections(terms.calendar);
const program = threadOfSources('libs/projections/src/lane-threads/lane-thread.ts');

let log: SoundLog;
let threads: Threads;

beforeEach(async () => {
  log = await SoundLog.make();
  threads = { databaseUrl: log.url, count: 2, eventsMin: 0, program };
});

afterEach(() => log.drop());

function verifyInThreads(options: VerifyOptions = {}): Promise<VerifyReport> {
  return verifyLog(log.pool, PROJECTIONS, terms, { threads, ...options });
}

async function rowsOf(table: string): Promise<unknown[]> {
  const { rows } = await log.pool.query(`select t::text as row from ${table} t order by 1`);
  return rows;
}

test('threads find in every lane what a verification without them finds', async () => {
  await log.sql(`update batch set hash = decode(repeat('ab', 32), 'hex') where last_position = 4`);
  await log.sql('update window_part set credits_used[1] = 1 where lane = $1', [OTHER_LANE]);
  const { seconds: _, ...report } = await verifyInThreads();
  const { seconds: _own, ...expected } = await log.verify();
  expect(report).toEqual(expected);
  expect(report).toMatchObject({ intact: false, lanes: 65 });
});

test('a verification in threads reports its progress, and ends when it is stopped', async () => {
  const stopping = new AbortController();
  const progress: number[] = [];
  const onProgress = ({ lanes }: { readonly lanes: number }): void => {
    progress.push(lanes);
    if (lanes === 3) stopping.abort(new Error('No more.'));
  };
  const options = { signal: stopping.signal, onProgress };
  await expect(verifyInThreads(options)).rejects.toThrow('No more.');
  expect(progress.at(-1)).toBe(3);
});

test('projections that threads rebuild together have the rows that they had', async () => {
  const tables = PROJECTIONS.flatMap((projection) => projection.tables);
  const before = await Promise.all(tables.map(rowsOf));
  const fill = fillInThreads(threads, terms.calendar.zone);
  const outcomes = await rebuildAllToEnd(log.pool, PROJECTIONS, { fill });
  expect(outcomes.map(({ outcome }) => outcome)).toEqual(PROJECTIONS.map(() => 'rebuilt'));
  expect(await Promise.all(tables.map(rowsOf))).toEqual(before);
});

test('a projection that threads rebuild has the rows that it had', async () => {
  const tables = PROJECTIONS.flatMap((projection) => projection.tables);
  const before = await Promise.all(tables.map(rowsOf));
  for (const projection of PROJECTIONS) {
    const fill = fillInThreads(threads, terms.calendar.zone);
    expect(await rebuildToEnd(log.pool, projection, { fill })).toMatchObject({
      outcome: 'rebuilt',
    });
  }
  expect(await Promise.all(tables.map(rowsOf))).toEqual(before);
});

test('what fails in a thread fails for the caller, with its code, and ends the others', async () => {
  const work = {
    zone: 'UTC',
    lanes: [LANE, OTHER_LANE],
    signal: new AbortController().signal,
    onEvents: () => undefined,
  };
  const upTo = [[LANE, 5]] as const;
  const job = {
    job: 'fill',
    projections: ['ledger'],
    isShadow: true,
    eventsMax: 10,
    upTo,
  } as const;
  await expect(workInThreads(threads, { ...work, job })).rejects.toMatchObject({ code: '42P01' });
  const unknown = { ...job, projections: ['dreams'] };
  await expect(workInThreads(threads, { ...work, job: unknown })).rejects.toThrow(
    'There is no projection dreams.',
  );
});
