import { totalmem } from 'node:os';

const MB = 1024 * 1024;
/** Of the memory, as much is for PostgreSQL's own cache. */
const CACHE_SHARE = 1 / 16;
const CACHE_MB = { least: 256, most: 1024 };

/**
 * Size of PostgreSQL's cache on a machine, or in a container, with so many bytes of memory. The
 * last events of thousands of accounts that are loaded after a start should fit.
 */
export function sharedBuffers(memory: number): string {
  const wanted = Math.floor((memory * CACHE_SHARE) / MB);
  return `${Math.min(CACHE_MB.most, Math.max(CACHE_MB.least, wanted))}MB`;
}

/** Bytes; a container may have less than its machine. */
function memoryHere(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * Settings of the embedded server, given on its command line so that every start uses these and
 * an older configuration file never does. Durability is not negotiable: a charge that was
 * answered is on the disk.
 */
const SETTINGS: Readonly<Record<string, string>> = {
  listen_addresses: '127.0.0.1',
  // A socket file would limit the length of the data folder's path and be one more door.
  unix_socket_directories: '',
  fsync: 'on',
  full_page_writes: 'on',
  synchronous_commit: 'on',
  shared_buffers: sharedBuffers(memoryHere()),
  max_connections: '200',
  max_wal_size: '2GB',
  min_wal_size: '256MB',
  // A page that is written whole is made in the middle of an append. Compressed in the one way that
  // every build offers, that takes twenty times as long.
  wal_compression: 'off',
  checkpoint_timeout: '15min',
  random_page_cost: '1.1',
  password_encryption: 'scram-sha-256',
  timezone: 'UTC',
  log_timezone: 'UTC',
  log_line_prefix: '%m [%p] ',
  // Statements may hold customers' names: the log says what failed, not with which values.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_parameter_max_length_on_error: '0',
  cluster_name: 'popindex',
};

/** Arguments of `postgres` for a data folder and a port. */
export function serverArguments(cluster: string, port: number): string[] {
  const settings = Object.entries({ ...SETTINGS, port: String(port) });
  return ['-D', cluster, ...settings.flatMap(([name, value]) => ['-c', `${name}=${value}`])];
}

/** PostgreSQL takes settings from its environment too: none of the caller's may reach it. */
export function serverEnvironment(): NodeJS.ProcessEnv {
  const kept = ['PATH', 'Path', 'SystemRoot', 'TMPDIR', 'TEMP', 'TMP'];
  const entries = kept.map((name) => [name, process.env[name]] as const);
  return { ...Object.fromEntries(entries.filter(([, value]) => value !== undefined)), LC_ALL: 'C' };
}
