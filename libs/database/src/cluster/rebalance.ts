import { setTimeout as delay } from 'node:timers/promises';
import type pg from 'pg';

/** Moves of shards that are done, of all that were planned. */
export interface RebalanceProgress {
  readonly done: number;
  readonly total: number;
}

export interface Rebalanced {
  readonly outcome: 'balanced' | 'moved' | 'failed';
  /** Shards that were moved with all that lies beside them. */
  readonly moves: number;
  /** The message of the server about a move that failed. */
  readonly detail: string | null;
}

const POLL_MS = 500;
const RUNNING = ['scheduled', 'running', 'cancelling', 'failing'];

interface Job {
  readonly state: string;
  readonly done: number;
  readonly total: number;
  readonly detail: string | null;
}

/**
 * Spreads the shards evenly over the servers, as the cluster does it: copied while they serve, and
 * switched over at the end. Goes on with what an earlier attempt has begun; the cluster goes on
 * by itself where nobody waits.
 */
export async function rebalance(
  client: pg.ClientBase,
  onProgress: (progress: RebalanceProgress) => void,
): Promise<Rebalanced> {
  const job = (await runningJob(client)) ?? (await startJob(client));
  if (job === null) return { outcome: 'balanced', moves: 0, detail: null };
  for (;;) {
    const { state, done, total, detail } = await readJob(client, job);
    onProgress({ done, total });
    if (state === 'finished') return { outcome: 'moved', moves: total, detail: null };
    if (!RUNNING.includes(state)) return { outcome: 'failed', moves: done, detail };
    await delay(POLL_MS);
  }
}

async function runningJob(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ id: string }>(
    `select job_id::text as id from pg_dist_background_job
      where job_type = 'rebalance' and state::text = any ($1) order by job_id desc limit 1`,
    [RUNNING],
  );
  return rows[0]?.id ?? null;
}

async function startJob(client: pg.ClientBase): Promise<string | null> {
  const { rows } = await client.query<{ id: string | null }>(
    'select citus_rebalance_start()::text as id',
  );
  return rows[0]?.id ?? null;
}

async function readJob(client: pg.ClientBase, id: string): Promise<Job> {
  const { rows } = await client.query<Job>(
    `select j.state::text as state, count(*) filter (where t.status = 'done')::int as done,
            count(t.*)::int as total, max(t.message) filter (where t.status = 'error') as detail
       from pg_dist_background_job j left join pg_dist_background_task t using (job_id)
      where j.job_id = $1 group by j.state`,
    [id],
  );
  const [job] = rows;
  if (job === undefined) throw new Error(`The cluster does not know the job ${id}.`);
  return job;
}
