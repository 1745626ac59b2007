import { once } from 'node:events';
import { availableParallelism } from 'node:os';
import { Worker } from 'node:worker_threads';
import type pg from 'pg';
import { addConstraints, dropConstraints } from '#backup/table-constraints.js';
import { openDatabase, withClient, withTransaction } from '#database/database.js';
import { LANES_OF_ACCOUNTS } from '#event-log/event-log.js';
import { profileReference } from '#projections/texts/profiles.js';
import { StartupError } from '#web/startup-error.js';
import type { FillPlan } from './fill-plan.js';
import type { FilledLane, FillWork } from './fill-worker.js';
import { FILLED_PROFILE, filledAccountId } from './filled-account.js';
import { fillProjections } from './filled-projections.js';
import type { RowsPart } from './lane-rows.js';
import { LogCopy } from './log-copy.js';

/** Called after each part with the number of written events. */
export type OnFilled = (events: number) => void;

const THREADS_MAX = 4;

/**
 * Fills the empty log of a migrated database by a plan: valid events, batches and heads, and every
 * projection at the end of every lane. What `verify` proves of a log holds of it. The first
 * account's history is decided and projected by the service's own code, the others have the same
 * one. Answers how many events there are. All or nothing, but for what only makes the database rest
 * afterwards. Throws StartupError for a log that is not empty, and for a plan that reaches into the
 * future.
 */
export async function fillLog(
  url: string,
  plan: FillPlan,
  onFilled: OnFilled = () => undefined,
): Promise<number> {
  const pool = openDatabase({ url, applicationName: 'popindex bench fill', connectionsMax: 1 });
  try {
    const events = await withTransaction(pool, async (client) => {
      await refuse(client, plan);
      await saveProfiles(client, plan);
      return fillTables(client, plan, onFilled);
    });
    // So that nothing which filling leaves to be done happens while something is measured.
    await withClient(pool, (client) => client.query('vacuum analyze'));
    await withClient(pool, (client) => client.query('checkpoint'));
    return events;
  } finally {
    await pool.end();
  }
}

async function refuse(client: pg.ClientBase, { from, to }: FillPlan): Promise<void> {
  const { rowCount } = await client.query('select from event limit 1');
  if (from >= to) throw new StartupError('A log is filled from one moment to a later one.');
  if (to > Date.now()) throw new StartupError('A log is filled up to a moment that has passed.');
  if (rowCount !== 0) throw new StartupError('Only an empty log can be filled.');
}

async function saveProfiles(client: pg.ClientBase, { accounts }: FillPlan): Promise<void> {
  const ids = Array.from({ length: accounts }, (_, ordinal) => filledAccountId(ordinal));
  const { sha256 } = profileReference(filledAccountId(0), FILLED_PROFILE);
  await client.query(
    `insert into profile (id, account_id, body, sha256)
     select id, id, $2, decode($3, 'hex') from unnest($1::uuid[]) as id`,
    [ids, JSON.stringify(FILLED_PROFILE), sha256],
  );
}

/** Like a restore: without indexes while the log loads, and nothing to vacuum afterwards. */
async function fillTables(
  client: pg.ClientBase,
  plan: FillPlan,
  onFilled: OnFilled,
): Promise<number> {
  await client.query('truncate event, batch');
  const constraints = await dropConstraints(client, ['event', 'batch']);
  const log = new LogCopy(client);
  const lanes = await writeLog(log, plan, onFilled);
  await saveEnds(client, lanes);
  // Projections may look up the batch of an event.
  await addConstraints(client, constraints, () => undefined);
  await fillProjections(client, plan, lanes);
  return log.events;
}

async function writeLog(log: LogCopy, plan: FillPlan, onFilled: OnFilled): Promise<FilledLane[]> {
  const threads = Math.min(THREADS_MAX, availableParallelism());
  const shares = Array.from({ length: threads }, (_, thread) =>
    LANES_OF_ACCOUNTS.filter((lane) => lane % threads === thread),
  );
  try {
    const filled = await Promise.all(
      shares.map((lanes) => writeLanes({ plan, lanes }, log, onFilled)),
    );
    await log.end();
    return filled.flat();
  } catch (error) {
    await log.abort();
    throw error;
  }
}

/** Lets a thread make the rows of some lanes, and writes them. */
async function writeLanes(work: FillWork, log: LogCopy, onFilled: OnFilled): Promise<FilledLane[]> {
  const thread = new Worker(new URL('./fill-worker.js', import.meta.url), { workerData: work });
  const lanes: FilledLane[] = [];
  const written: Promise<void>[] = [];
  thread.on('message', (message: RowsPart | FilledLane) => {
    if ('rows' in message) return lanes.push(message);
    const writing = log.write(message).then(() => {
      onFilled(log.events);
      thread.postMessage('written');
    });
    // The thread would wait for ever for a part that was not written.
    writing.catch(() => void thread.terminate());
    return written.push(writing);
  });
  await once(thread, 'exit');
  await Promise.all(written);
  return lanes;
}

async function saveEnds(client: pg.ClientBase, lanes: readonly FilledLane[]): Promise<void> {
  for (const { end } of lanes) {
    await client.query(`update lane set position = $2, head = decode($3, 'hex') where lane = $1`, [
      end.lane,
      end.position,
      end.head,
    ]);
  }
}
