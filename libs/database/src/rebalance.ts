import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';
import { isTransient } from './errors.js';
import { requireCoordinator } from './cluster/coordinator.js';

/** Moves of shards that are done, of all that were planned. */
export interface RebalanceProgress {
  readonly done: number;
  readonly total: number;
}

export interface RebalanceResult {
  readonly outcome: 'balanced' | 'moved' | 'failed';
  /** Shards that were moved with all that lies beside them. */
  readonly moves: number;
  /** Why it ended before the last move. */
  readonly detail: string | null;
}

export interface RebalanceEvents {
  readonly onProgress?: (progress: RebalanceProgress) => void;
  /** Called with a fault of which another try follows in a moment. */
  readonly onFault?: (what: string) => void;
}

const POLL_MS = 500;
const RETRY_MS = 2_000;
/** A server that was killed is back by then; of those that are not, the operator should know. */
const TRIES = 30;
const RUNNING = ['scheduled', 'running', 'cancelling', 'failing'];

interface Job {
  readonly state: string;
  readonly done: number;
  readonly total: number;
  readonly detail: string | null;
  /** Of moves that failed and that the cluster will try again. */
  readonly faults: readonly string[];
}

/**
 * Spreads the shards evenly over the servers, as the cluster does it: copied while they serve, and
 * switched over at the end. Goes on with what an earlier attempt has begun; the cluster goes on
 * by itself where nobody waits. Through faults that may heal it goes on, too: the cluster tries a
 * move that failed again after 5 and 20 s and then each minute, for half an hour, and what it does
 * not answer is asked again for a minute.
 */
export async function rebalance(
  db: pg.Pool | pg.ClientBase,
  { onProgress, onFault }: RebalanceEvents = {},
  retryMs = RETRY_MS,
): Promise<RebalanceResult> {
  let moves = 0;
  let said = '';
  const say = (faults: readonly string[]): void => {
    const text = faults.join('; ');
    if (text !== said && text !== '') onFault?.(text);
    said = text;
  };
  const ask = <Answer>(question: () => Promise<Answer>): Promise<Answer> =>
    throughFaults(
      async () => {
        await requireCoordinator(db);
        return question();
      },
      say,
      retryMs,
    );
  try {
    const job = await ask(async () => (await runningJob(db)) ?? startJob(db));
    if (job === null) return { outcome: 'balanced', moves, detail: null };
    for (;;) {
      const { state, done, total, detail, faults } = await ask(() => readJob(db, job));
      moves = done;
      onProgress?.({ done, total });
      if (state === 'finished') return { outcome: 'moved', moves, detail: null };
      if (!RUNNING.includes(state)) return { outcome: 'failed', moves, detail };
      say(faults);
      await delay(POLL_MS);
    }
  } catch (error) {
    if (!isTransient(error)) throw error;
    return { outcome: 'failed', moves, detail: messageOf(error) };
  }
}

async function throughFaults<Answer>(
  ask: () => Promise<Answer>,
  say: (faults: readonly string[]) => void,
  retryMs: number,
): Promise<Answer> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await ask();
    } catch (error) {
      if (!isTransient(error) || tries === TRIES) throw error;
      say([messageOf(error)]);
      await delay(retryMs);
    }
  }
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

async function runningJob(db: pg.Pool | pg.ClientBase): Promise<string | null> {
  const { rows } = await db.query<{ id: string }>(
    `select job_id::text as id from pg_dist_background_job
      where job_type = 'rebalance' and state::text = any ($1) order by job_id desc limit 1`,
    [RUNNING],
  );
  return rows[0]?.id ?? null;
}

async function startJob(db: pg.Pool | pg.ClientBase): Promise<string | null> {
  const { rows } = await db.query<{ id: string | null }>(
    'select citus_rebalance_start()::text as id',
  );
  return rows[0]?.id ?? null;
}

async function readJob(db: pg.Pool | pg.ClientBase, id: string): Promise<Job> {
  const { rows } = await db.query<Job>(
    `select j.state::text as state, count(*) filter (where t.status = 'done')::int as done,
            count(t.*)::int as total, max(t.message) filter (where t.status = 'error') as detail,
            coalesce(
              array_agg(format('%s (try %s)', split_part(t.message, E'\\n', 1), t.retry_count))
                filter (where t.status = 'runnable' and t.retry_count > 0),
              '{}') as faults
       from pg_dist_background_job j left join pg_dist_background_task t using (job_id)
      where j.job_id = $1 group by j.state`,
    [id],
  );
  const [job] = rows;
  if (job === undefined) throw new Error(`The cluster does not know the job ${id}.`);
  return job;
}
