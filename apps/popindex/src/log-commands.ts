import { availableParallelism } from 'node:os';
import { Command, InvalidArgumentError } from 'commander';
import type pg from 'pg';
import { openDatabase } from '#database/database.js';
import { rebuildToEnd } from '#event-log/bring-up-projection.js';
import { ACCOUNT_LANES } from '#event-log/event-log.js';
import { storedProjections } from '#event-log/projection-state.js';
import { fillInThreads } from '#ledger/lane-threads/fill-in-threads.js';
import type { Threads } from '#ledger/lane-threads/lane-threads.js';
import { allProjections, PROJECTION_NAMES } from '#ledger/projections.js';
import { verifyLog } from '#ledger/verify/verify-log.js';
import type { Foundations } from '#service/foundations.js';
import { StartupError } from '#web/startup-error.js';
import { LogToolProgress } from './log-tool-progress.js';
import type { WithFoundations } from './release-commands.js';
import { verifyReport } from './verify-report.js';

interface Flags {
  readonly json?: boolean;
  readonly lane?: number;
}

const NUMBERS = new Intl.NumberFormat('en');

function laneNumber(text: string): number {
  const lane = /^\d{1,2}$/.test(text) ? Number(text) : Number.NaN;
  if (lane <= ACCOUNT_LANES) return lane;
  throw new InvalidArgumentError(`A lane is a number from 0 to ${ACCOUNT_LANES}.`);
}

function print(json: boolean, value: unknown, text: string): void {
  process.stdout.write(`${json ? JSON.stringify(value, null, 2) : text}\n`);
}

const CONNECTIONS = 8;

/** Lends connections whose statements may take their time. */
async function withPatience<Result>(
  { databaseUrl: url }: Foundations,
  work: (pool: pg.Pool) => Promise<Result>,
): Promise<Result> {
  const pool = openDatabase({
    url,
    applicationName: 'popindex log tools',
    connectionsMax: CONNECTIONS,
  });
  try {
    return await work(pool);
  } finally {
    await pool.end();
  }
}

/** The command has nothing else to do: a thread for each processor. */
function threadsFor({ databaseUrl }: Foundations): Threads {
  return { databaseUrl, count: availableParallelism() };
}

async function verify(
  pool: pg.Pool,
  foundations: Foundations,
  { json = false, lane }: Flags,
): Promise<number> {
  const { calendar } = foundations;
  const bar = new LogToolProgress();
  try {
    const report = await verifyLog(
      pool,
      allProjections(calendar),
      { calendar },
      {
        ...(lane !== undefined && { lane }),
        threads: threadsFor(foundations),
        onProgress: ({ events, eventsTotal }) =>
          bar.show({ stage: 'verifying', done: events, total: eventsTotal }),
      },
    );
    bar.stop();
    print(json, report, verifyReport(report));
    return report.intact ? 0 : 1;
  } finally {
    bar.stop();
  }
}

async function rebuild(
  pool: pg.Pool,
  foundations: Foundations,
  name: string,
  json: boolean,
): Promise<number> {
  const { calendar } = foundations;
  const projection = allProjections(calendar).find((candidate) => candidate.name === name);
  if (projection === undefined) {
    const names = PROJECTION_NAMES.join(', ');
    throw new StartupError(`popindex: "${name}" is none of the projections: ${names}`);
  }
  const bar = new LogToolProgress();
  try {
    const result = await rebuildToEnd(pool, projection, {
      fill: fillInThreads(threadsFor(foundations), calendar.zone),
      onProgress: ({ stage, events, total }) => bar.show({ stage, done: events, total }),
    });
    bar.stop();
    const isDone = result.outcome === 'rebuilt';
    const text = isDone
      ? `Projection ${name} was built anew from ${NUMBERS.format(result.events)} events in ` +
        `${result.seconds.toFixed(2)} s, and serves.`
      : `Projection ${name} is being rebuilt by somebody else.`;
    print(json, { projection: name, ...result }, text);
    return isDone ? 0 : 1;
  } finally {
    bar.stop();
  }
}

async function list({ pool, calendar }: Foundations, json: boolean): Promise<number> {
  const all = await storedProjections(pool, allProjections(calendar));
  const lines = all.map(
    ({ name, version, rowsVersion, behind }) =>
      `${name}\t${version}\t${rowsVersion ?? 'none'}\t${NUMBERS.format(behind)}`,
  );
  print(json, all, ['projection\tversion\trows of version\tevents behind', ...lines].join('\n'));
  return 0;
}

/** `popindex verify`: exit code 0 when everything belongs together, else 1. */
export function verifyCommand(withFoundations: WithFoundations): Command {
  return new Command('verify')
    .description('prove that the log and all that is made from it belong together')
    .option('--lane <number>', 'only one lane, 0 to 64', laneNumber)
    .option('--json', 'print the report as JSON')
    .action((flags: Flags) =>
      withFoundations((foundations) =>
        withPatience(foundations, (pool) => verify(pool, foundations, flags)),
      ),
    );
}

/** `popindex projections rebuild` and `popindex projections list`. */
export function projectionCommands(withFoundations: WithFoundations): Command {
  const projections = new Command('projections').description('tables made from the log');
  projections
    .command('rebuild')
    .description('build one anew from the log, beside the tables that serve')
    .argument('<name>', PROJECTION_NAMES.join(' or '))
    .option('--json', 'print the result as JSON')
    .action((name: string, { json = false }: Flags) =>
      withFoundations((foundations) =>
        withPatience(foundations, (pool) => rebuild(pool, foundations, name, json)),
      ),
    );
  projections
    .command('list')
    .description('every projection, its versions and how far it is behind the log')
    .option('--json', 'print it as JSON')
    .action(({ json = false }: Flags) => withFoundations((foundations) => list(foundations, json)));
  return projections;
}
