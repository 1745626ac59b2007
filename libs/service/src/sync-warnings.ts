import type pg from 'pg';

interface Row {
  readonly commit: string;
  readonly standbys: string;
}

/** Where commits end with the primary's own disk. */
const OWN_DISK = new Set(['off', 'local']);

/**
 * Warns that a commit is answered before a standby has it: a failover would lose it. That a standby
 * is there is not looked at, since without one commits wait.
 */
export async function syncWarnings(pool: pg.Pool): Promise<readonly string[]> {
  const { rows } = await pool.query<Row>({
    name: 'sync-settings',
    text: `select current_setting('synchronous_commit') as commit,
                  current_setting('synchronous_standby_names') as standbys`,
  });
  const [{ commit, standbys } = { commit: 'off', standbys: '' }] = rows;
  const reason = OWN_DISK.has(commit)
    ? `synchronous_commit is ${commit}`
    : standbys.trim() === ''
      ? 'synchronous_standby_names is empty'
      : undefined;
  return reason === undefined
    ? []
    : [`Commits wait for no standby (${reason}): a failover would lose acknowledged calls.`];
}
