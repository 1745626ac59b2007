import { workerData } from 'node:worker_threads';
import type pg from 'pg';
import { Calendar } from '#calendar/calendar.js';
import { openDatabase } from '#database/database.js';
import { fillLanes } from '#event-log/fill-projection.js';
import { channelToStarter, endThread } from '#workers/thread.js';
import { allProjections } from '../projections/projections.js';
import type { LaneReport } from '../verify/verify-lane.js';
import { verifyLanes } from '../verify/verify-lanes.js';
import type { ThreadData } from './lane-job.js';

// The program of a thread: it works on lanes until none is left.

/** While the database works on one lane the thread works on the other. */
const LANES_AT_ONCE = 2;
/** A page of events is on its way while rows are written. */
const CONNECTIONS_OF_LANE = 2;

const { databaseUrl, zone, job } = workerData as ThreadData;
const calendar = new Calendar(zone);
const projections = allProjections(calendar);
/** Who wants a thread to stop ends it. */
const NEVER = new AbortController().signal;
const starter = channelToStarter();

async function* lanes(): AsyncGenerator<number> {
  const next = (): Promise<number | null> => starter.ask('lane');
  for (let lane = await next(); lane !== null; lane = await next()) yield lane;
}

function onEvents(events: number): void {
  starter.notify('events', events);
}

async function work(pool: pg.Pool): Promise<void> {
  if (job.job === 'verify') {
    const onReport = (report: LaneReport): void => starter.notify('report', report);
    const { webhookSecret } = job;
    const parts = { pool, projections, calendar, webhookSecret, lanes: lanes() };
    return verifyLanes({ ...parts, onEvents, onReport });
  }
  const filled = job.projections.map((wanted) => {
    const projection = projections.find(({ name }) => name === wanted);
    if (projection === undefined) throw new Error(`There is no projection ${wanted}.`);
    return projection;
  });
  const { isShadow, eventsMax, upTo } = job;
  const options = { isShadow, eventsMax, signal: NEVER, onApplied: onEvents };
  return fillLanes(pool, filled, new Map(upTo), lanes(), options);
}

const pool = openDatabase({
  url: databaseUrl,
  applicationName: 'popindex lanes',
  connectionsMax: CONNECTIONS_OF_LANE * LANES_AT_ONCE,
});
await Promise.all(Array.from({ length: LANES_AT_ONCE }, () => work(pool)));
await pool.end();
endThread();
