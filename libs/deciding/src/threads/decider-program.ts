import { workerData } from 'node:worker_threads';
import type { Terms } from '#account/decide-call.js';
import { Calendar } from '#calendar/calendar.js';
import { clockTimestamp, DatabaseClock } from '#database/database-clock.js';
import { openDatabase, type DatabaseOptions } from '#database/database.js';
import { AppendServers } from '#event-log/append-servers.js';
import { SYSTEM_LANE } from '#event-log/event-log.js';
import { LaneWatch } from '#event-log/lane-watch.js';
import { PostgresEventLog } from '#event-log/postgres-event-log.js';
import { SystemStream } from '#event-log/system-stream.js';
import { AccountLoader } from '#projections/loading/account-loader.js';
import { TextKeys } from '#projections/texts/text-keys.js';
import { Metrics } from '#service/metrics/metrics.js';
import { plainError } from '#workers/plain-error.js';
import { channelToStarter, endThread } from '#workers/thread.js';
import { Accounting } from '../accounting.js';
import { LiveTerms } from '../live-terms.js';
import { measuredLog } from '../metrics/measured-log.js';
import { watchWaiting } from '../metrics/waiting-commands.js';
import type { DeciderData } from './decider-data.js';
import { answerSubmission } from './decider-link.js';

// The program of a decider: the accounting of its groups of lanes, as in a process of its own.

/** Beside one for each group's append: for what is read meanwhile. */
const MORE_CONNECTIONS = 2;
/** Shorter than a caller waits, so that an answer is known in time. */
const TIMEOUT_MS = 4_000;
/** How long a command may go on waiting past its time. */
const SWEEP_MS = 500;

const { databaseUrl, zone, groups, limits } = workerData as DeciderData;

/** The main thread hears it, whatever it answers. */
function report(name: string, body: unknown): void {
  channel.notify(name, body);
}

const onFault = (error: unknown): void => report('fault', plainError(error));

const database: DatabaseOptions = {
  url: databaseUrl,
  applicationName: 'popindex decider',
  connectionsMax: groups.length + MORE_CONNECTIONS,
  statementTimeoutMs: TIMEOUT_MS,
  onIdleError: (error) => report('idle connection', plainError(error)),
};
const pool = openDatabase(database);
const appendServers = AppendServers.start(pool, database);
const metrics = new Metrics();
const clock = new DatabaseClock({ askDatabase: clockTimestamp(pool), onFault });
const log = new PostgresEventLog(pool, groups, appendServers);
const watch = new LaneWatch({
  log,
  // Losses of the system's lane are noticed by the main thread, which reads it too.
  onLost: (lost) =>
    report(
      'lost',
      lost.filter(({ lane }) => lane !== SYSTEM_LANE),
    ),
  onFault,
});
const liveTerms = new LiveTerms({
  stream: new SystemStream(log, watch),
  calendar: new Calendar(zone),
  clock,
  onFault,
});
const accounting = new Accounting({
  log: measuredLog(log, metrics),
  loader: new AccountLoader(pool),
  clock,
  clockState: () => clock.ready(),
  terms: (): Terms => liveTerms.terms(),
  liveTerms,
  watch,
  texts: new TextKeys(pool),
  limits,
  events: { onFault },
});
watchWaiting(metrics, accounting);

async function stop(): Promise<void> {
  await accounting.stop();
  clearInterval(sweeper);
  liveTerms.stop();
  clock.stop();
  await watch.stop();
  await appendServers.stop();
  await pool.end();
  endThread();
}

const channel = channelToStarter(
  { submit: answerSubmission(accounting), metrics: () => metrics.collect(), stop },
  true,
);
const sweeper = setInterval(() => accounting.giveUpLate(), SWEEP_MS);
await clock.start();
await liveTerms.refresh();
liveTerms.start();
report('serving', null);
