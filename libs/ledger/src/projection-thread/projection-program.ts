import { parentPort, workerData } from 'node:worker_threads';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { ProjectionRunner } from '#event-log/projection-runner.js';
import { plainError } from '../lane-threads/lane-job.js';
import { allProjections } from '../projections/projections.js';
import type { FromThread, PlainStatus, ProjectionThreadData, ToThread } from './thread-messages.js';

// The program of the thread: it keeps all projections up with the log until it is stopped.

const CONNECTIONS = 4;
/** A connection that fell silent must not stop a projection for as long as the process lives. */
const TIMEOUT_MS = 30_000;

const { databaseUrl, zone } = workerData as ProjectionThreadData;

function post(message: FromThread): void {
  parentPort?.postMessage(message);
}

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
  onIdleError: (error) => post({ lost: plainError(error) }),
});

const runner = new ProjectionRunner(pool, allProjections(new Calendar(zone)), {
  onState: () => post({ states: states() }),
  onStartOver: (projection, lanes) => post({ startedOver: projection, lanes }),
  onError: (projection, error, fatal) => post({ fault: plainError(error), projection, fatal }),
});

async function obey(order: ToThread): Promise<void> {
  if (order === 'start') return runner.start();
  if (order === 'wake') return runner.wake();
  await runner.stop();
  await pool.end();
  parentPort?.close();
}

parentPort?.on('message', (order: ToThread) => void obey(order));
