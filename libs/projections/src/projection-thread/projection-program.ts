import { workerData } from 'node:worker_threads';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { ProjectionRunner } from '#event-log/projection-runner.js';
import { plainError } from '#workers/plain-error.js';
import { channelToStarter, endThread } from '#workers/thread.js';
import { allProjections } from '../projections/projections.js';
import type { PlainStatus, ProjectionFault, ProjectionThreadData } from './thread-messages.js';

// The program of the thread: it keeps all projections up with the log until it is stopped.

const CONNECTIONS = 4;
/** A connection that fell silent must not stop a projection for as long as the process lives. */
const TIMEOUT_MS = 30_000;

const { databaseUrl, zone } = workerData as ProjectionThreadData;

function states(): PlainStatus[] {
  return runner.status().map((status) => ({
    ...status,
    error: status.error === undefined ? undefined : plainError(status.error),
  }));
}

// Rows and checkpoints move together, and follow from the log: a crash that takes both back costs
// no more than reading on from there.
const pool = openDatabase({
  commitsWait: false,
  url: databaseUrl,
  applicationName: 'popindex projections',
  connectionsMax: CONNECTIONS,
  statementTimeoutMs: TIMEOUT_MS,
  idleTransactionTimeoutMs: TIMEOUT_MS,
  onIdleError: (error) => starter.notify('idle connection', plainError(error)),
});

const runner = new ProjectionRunner(pool, allProjections(new Calendar(zone)), {
  onState: () => starter.notify('states', states()),
  onStartOver: (projection, lanes) => starter.notify('started over', [projection, lanes]),
  onError: (projection, error, fatal) => {
    const fault: ProjectionFault = { projection, error: plainError(error), fatal };
    starter.notify('fault', fault);
  },
});

const starter = channelToStarter({
  start: () => runner.start(),
  wake: () => runner.wake(),
  stop: async () => {
    await runner.stop();
    await pool.end();
    endThread();
  },
});
starter.notify('serving', null);
