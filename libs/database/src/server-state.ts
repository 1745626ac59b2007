import type pg from 'pg';
import { ServerRefusedError } from './server-refused-error.js';

/** State of a server at this moment. */
export interface ServerState {
  readonly isReadOnly: boolean;
  /** Counted up by each promotion; null on a standby, and where this user may not see it. */
  readonly timeline: number | null;
  /** Names the cluster: its standbys and its copies have the same. */
  readonly system: string | null;
}

/** A server's part in a cluster. */
export interface ClusterPlace {
  /** The others are workers: they hold lanes, and reach all that the coordinator reaches. */
  readonly isCoordinator: boolean;
  /** Where the servers of the cluster are, as this one knows. */
  readonly servers: string;
}

const TIMEOUT_MS = 3_000;
const TIMELINE_DIGITS = 8;
const STATE = `
  select current_setting('transaction_read_only') = 'on' as read_only,
         case when not pg_is_in_recovery() then pg_walfile_name(pg_current_wal_lsn()) end as wal_file,
         (select system_identifier::text from pg_control_system()) as system`;
const HIDDEN = `select current_setting('transaction_read_only') = 'on' as read_only, null as wal_file, null as system`;
const IN_CLUSTER = `select to_regclass('pg_dist_local_group') is not null as known`;
const PLACE = `
  select groupid = 0 as "isCoordinator",
         (select string_agg(format('%s at %s:%s', groupid, nodename, nodeport), ', ' order by groupid)
            from pg_dist_node where noderole = 'primary') as servers
    from pg_dist_local_group`;
/** Insufficient privilege, and a function that a server of another make does not have. */
const HIDDEN_CODES = new Set(['42501', '42883', '0A000']);

interface Row {
  readonly read_only: boolean;
  readonly wal_file: string | null;
  readonly system: string | null;
}

/** Asks a server by a new connection. */
export async function askServer(client: pg.ClientBase): Promise<ServerState> {
  const [row] = await rowsOf(client);
  const unknown = 'It does not report its state.';
  if (row === undefined) throw new ServerRefusedError(unknown, unknown);
  const timeline = row.wal_file && Number.parseInt(row.wal_file.slice(0, TIMELINE_DIGITS), 16);
  return { isReadOnly: row.read_only, timeline: timeline || null, system: row.system };
}

/** Asks a server for its part in a cluster; null: it is in none. */
export async function askPlace(client: pg.ClientBase): Promise<ClusterPlace | null> {
  const { rows } = await client.query<{ known: boolean }>(query(IN_CLUSTER));
  if (rows[0]?.known !== true) return null;
  const { rows: places } = await client.query<ClusterPlace | { servers: null }>(query(PLACE));
  const [place] = places;
  return place === undefined || place.servers === null ? null : place;
}

async function rowsOf(client: pg.ClientBase): Promise<readonly Row[]> {
  try {
    return (await client.query<Row>(query(STATE))).rows;
  } catch (error) {
    if (!HIDDEN_CODES.has(String((error as { code?: unknown }).code))) throw error;
    return (await client.query<Row>(query(HIDDEN))).rows;
  }
}

/** A server that accepts connections and then says nothing must not hold whoever connects. */
function query(text: string): pg.QueryConfig {
  return { text, query_timeout: TIMEOUT_MS } as pg.QueryConfig;
}
