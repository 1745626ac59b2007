import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { migrate } from '#database/migrate.js';
import { freePort } from '#embedded-postgres/free-port.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { importRelease } from '#popularity/import-release.js';
import type { Shutdown } from '#web/shutdown.js';
import { demoPaths } from '../demo-paths.js';
import { AdminClient } from './admin-client.js';
import { AnswerAudit } from './answer-audit.js';
import { Caller } from './caller.js';
import { openCustomers, type Customer } from './customers.js';
import { Database } from './database.js';
import { nextFaults, type Fault } from './faults.js';
import { FinalAudit } from './final-audit.js';
import { GivenDatabase } from './given-database.js';
import { Journal } from './journal.js';
import { LogBook } from './log-book.js';
import { Operator } from './operator.js';
import { ReleaseFeed } from './release-feed.js';
import { reportOf, type Report } from './report.js';
import { SeededRandom } from './seeded.js';
import { SmallDisk } from './small-disk.js';
import { Site } from './site.js';
import type { SupervisedProcess } from './supervised.js';
import { Wire } from './wire.js';

export interface TortureOptions {
  readonly minutes: number;
  /** After so many times that something broke it ends sooner; undefined: when time is up. */
  readonly times?: number | undefined;
  readonly seed: number;
  /** Only faults whose kind holds this text; the empty text is in all of them. */
  readonly only: string;
  /** An empty database that is given: the coordinator's of a cluster; undefined: the run's own. */
  readonly database?: string | undefined;
  /** Command that kills one of its servers and starts it again. */
  readonly killing?: string | undefined;
  readonly report: (line: string) => void;
}

const CALLERS = 12;
const OPERATORS = 2;
const STREAMS = { faults: 1, releases: 2, admin: 3, operator: 10, caller: 100 };
const SERIES_PATHS = 400;
const LISTINGS = ['us', 'gb', 'fr', 'kr', 'jp', 'global'].flatMap((region) => [
  `/v1/latest/cat1/trends/top5/popindex/${region}/beauty`,
  `/v1/latest/cat1/brands/top5/popindex/${region}/beauty`,
  `/v1/cat2/trends/top5/popindex/${region}/skincare`,
]);
/** Holds the database of an hour, a copy of it and what PostgreSQL writes ahead. */
const DISK_MEGABYTES = 4_000;
const CALM_MS_MOST = 6_000;
const PROBED = ['rich 1', 'rich 2', 'no limit', 'test 2'];
const PROBE_MS = 5_000;

/** Everything that takes part in one run. */
interface Stage {
  readonly site: Site;
  readonly database: Database | GivenDatabase;
  readonly pool: pg.Pool;
  readonly journal: Journal;
  readonly customers: readonly Customer[];
  readonly paths: readonly string[];
  readonly releases: ReleaseFeed;
  readonly admin: AdminClient;
  readonly disk: SmallDisk | null;
}

/** Runs service, traffic and faults, audits, and answers what it saw. Leaves nothing behind. */
export async function torture(options: TortureOptions, shutdown: Shutdown): Promise<Report> {
  const { minutes, times, seed, only, report } = options;
  const journal = new Journal(report);
  const random = (stream: number): SeededRandom => new SeededRandom(seed, stream);
  const folder = await mkdtemp(path.join(tmpdir(), 'popindex-torture-'));
  shutdown.last('the folder', () => rm(folder, { recursive: true, force: true }));
  const { database, disk } = await startDatabase(options, folder, journal, shutdown);
  const pool = openDatabase({ url: database.url, applicationName: 'popindex torture' });
  shutdown.stop('connections', () => pool.end());
  await migrate(database.url, database.serviceUrl);
  if (database instanceof GivenDatabase) await database.spread();
  const feed = random(STREAMS.releases);
  const releases = await ReleaseFeed.prepare(folder, database.serviceUrl, feed, journal);
  await importFirst(pool, releases.first);
  const site = await Site.start(database, pool, folder, journal);
  shutdown.stop('the service', () => site.stop());
  await site.recovered('the start');
  const admin = new AdminClient(site.adminPorts, random(STREAMS.admin), journal);
  const customers = await openCustomers(admin);
  const paths = await pathsOf(pool);
  site.probe = (apis) => probe(customers, apis);
  const stage = { site, database, pool, journal, customers, paths, releases, admin, disk };
  const { faults, events } = await play(stage, { minutes, times, only }, random);
  await site.stop();
  return reportOf(journal, { seed, minutes, faults, events });
}

/** The database that was given, or one of the run's own on a small disk. */
async function startDatabase(
  { database: given, killing }: TortureOptions,
  folder: string,
  journal: Journal,
  shutdown: Shutdown,
): Promise<{ database: Database | GivenDatabase; disk: SmallDisk | null }> {
  if (given !== undefined) {
    const database = await GivenDatabase.start(given, await freePort(), killing ?? null);
    shutdown.last('the database', () => database.end());
    return { database, disk: null };
  }
  const disk = SmallDisk.make(path.join(folder, 'disk'), DISK_MEGABYTES);
  if (disk === null) journal.say('No small file system can be made here: no disk will be full.');
  else shutdown.last('the disk', () => disk.remove());
  const database = await Database.start(path.join(folder, 'disk', 'data'), await freePort());
  shutdown.last('the database', () => database.end());
  return { database, disk };
}

/** A call of the accounts that nothing limits, through each API process. */
async function probe(
  customers: readonly Customer[],
  apis: readonly SupervisedProcess[],
): Promise<string[]> {
  const free = customers.filter(({ name }) => PROBED.includes(name));
  const asked = apis.flatMap(({ name, plan: { port } }) =>
    free.map(async ({ name: customer, keys }) => {
      const authorization = `Bearer ${keys.at(-1)?.secret}`;
      const request = { method: 'GET', path: LISTINGS[0] ?? '', headers: { authorization } };
      const wire = new Wire(port);
      const [outcome] = await wire.ask([request], PROBE_MS);
      wire.close();
      // Its key may just be revoked and its account suspended: that was decided, which is the
      // point.
      const isDecided = outcome?.got === 'answer' && outcome.status < 500;
      return isDecided ? [] : [`${name} does not sell to ${customer}: ${JSON.stringify(outcome)}`];
    }),
  );
  return (await Promise.all(asked)).flat();
}

async function pathsOf(pool: pg.Pool): Promise<string[]> {
  const { rows } = await pool.query<{ load: number }>(
    'select max(load) as load from release_brand',
  );
  const series = (await demoPaths(pool, rows[0]?.load ?? 0)).slice(0, SERIES_PATHS);
  // Most calls repeat a key: the few listings come up as often as all the others together.
  return [...LISTINGS, ...LISTINGS, ...LISTINGS, ...LISTINGS, ...series];
}

async function importFirst(pool: pg.Pool, folder: string): Promise<void> {
  const stream = new SystemStream(new PostgresEventLog(pool));
  const clock = { now: () => Date.now() };
  await importRelease({ pool, stream, windows: new Calendar('UTC'), clock }, folder);
}

/** Traffic and faults for the time asked for, then rest and the audit. */
async function play(
  stage: Stage,
  { minutes, times = Infinity, only }: Pick<TortureOptions, 'minutes' | 'times' | 'only'>,
  random: (stream: number) => SeededRandom,
): Promise<{ faults: ReadonlyMap<string, number>; events: number }> {
  const { pool, journal, customers, site } = stage;
  const known = new Set(customers.map(({ accountId }) => accountId));
  const book = new LogBook(pool, journal, known);
  const answers = new AnswerAudit(book, journal, site);
  let isGoing = true;
  const actors = startActors(stage, random, () => isGoing);
  const until = performance.now() + minutes * 60_000;
  const faults = new Map<string, number>();
  const plan = random(STREAMS.faults);
  for (let time = 0; time < times && performance.now() < until; time += 1) {
    const planned = nextFaults({ ...stage, book, random: plan }, only);
    const gap = plan.between(0, 2_000);
    const calm = plan.between(500, CALM_MS_MOST);
    await suffer(journal, planned, gap, faults);
    await site.recovered(planned.map(({ kind, detail }) => `${kind} ${detail}`).join(' and '));
    const sentBefore = performance.now();
    await book.catchUp();
    answers.checkSold(sentBefore);
    await delay(calm);
  }
  isGoing = false;
  await Promise.all(actors);
  journal.say('The traffic has ended.');
  const { clientPorts } = site;
  await new FinalAudit({ ...stage, book, answers, clientPorts }).run();
  return { faults, events: book.events };
}

function startActors(
  stage: Stage,
  random: (stream: number) => SeededRandom,
  going: () => boolean,
): Promise<void>[] {
  const { admin, journal, customers } = stage;
  const callers = Array.from({ length: CALLERS }, (_, at) =>
    new Caller({ ...stage, random: random(STREAMS.caller + at), going }).run(),
  );
  const run = `${process.pid}-${Date.now()}`;
  const operators = Array.from({ length: OPERATORS }, (_, at) => {
    // No account has two operators, so that what one expects of it comes to be.
    const own = customers.filter((_customer, index) => index % OPERATORS === at);
    const stream = random(STREAMS.operator + at);
    return new Operator({ admin, journal, customers: own, random: stream, going, run }).run();
  });
  return [...callers, ...operators];
}

async function suffer(
  journal: Journal,
  planned: readonly Fault[],
  gap: number,
  faults: Map<string, number>,
): Promise<void> {
  await Promise.all(
    planned.map(async ({ kind, detail, run }, index) => {
      await delay(index * gap);
      journal.say(`${kind} ${detail}`);
      faults.set(kind, (faults.get(kind) ?? 0) + 1);
      await run();
    }),
  );
}
