import type pg from 'pg';
import { isDistributed } from '#database/cluster/distribute.js';
import type { Metrics } from './metrics/metrics.js';

interface Settings {
  readonly commit: string;
  readonly standbys: string;
}

/** Where commits end with the primary's own disk. */
const OWN_DISK = new Set(['off', 'local']);

/**
 * Warns that a commit is answered before a standby has it: a failover would lose it. In a cluster
 * each server that holds lanes has settings of its own. That a standby is there is not looked at,
 * since without one commits wait.
 */
export async function syncWarnings(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<Settings>({
    name: 'sync-settings',
    text: `select current_setting('synchronous_commit') as commit,
                  current_setting('synchronous_standby_names') as standbys`,
  });
  const here = warningOf('Commits', rows[0] ?? { commit: 'off', standbys: '' });
  const there = (await isDistributed(pool)) ? await workerWarnings(pool) : [];
  return [here, ...there].filter((warning) => warning !== null);
}

/** Counts what is warned of, for an alert. */
export function watchSync(metrics: Metrics, pool: pg.Pool): void {
  metrics.sampled(
    'popindex_servers_without_sync',
    'Database servers whose commits wait for no standby, though DATABASE_REQUIRE_SYNC is set.',
    'gauge',
    async () => [{ labels: {}, value: (await syncWarnings(pool)).length }],
  );
}

/** One that does not answer is named by the lanes on it. */
async function workerWarnings(pool: pg.Pool): Promise<readonly (string | null)[]> {
  const { rows } = await pool.query<Settings & { place: string }>(
    `select n.nodename || ':' || n.nodeport as place, split_part(r.result, ' ', 1) as commit,
            substr(r.result, position(' ' in r.result) + 1) as standbys
       from run_command_on_workers($$
              select current_setting('synchronous_commit') || ' ' ||
                     current_setting('synchronous_standby_names') $$) r
       join pg_dist_node n on n.nodename = r.nodename and n.nodeport = r.nodeport
      where r.success and n.shouldhaveshards order by n.nodeid`,
  );
  return rows.map(({ place, ...settings }) => warningOf(`Commits at ${place}`, settings));
}

function warningOf(commits: string, { commit, standbys }: Settings): string | null {
  const reason = OWN_DISK.has(commit)
    ? `synchronous_commit is ${commit}`
    : standbys.trim() === ''
      ? 'synchronous_standby_names is empty'
      : undefined;
  if (reason === undefined) return null;
  return `${commits} wait for no standby (${reason}): a failover would lose acknowledged calls.`;
}
