/** Something that an operator puts right: printed as its line (or lines), without a stack. */
export class StartupError extends Error {
  override readonly name: string = 'StartupError';
}

/** Errors of libraries that are lines for an operator already. */
const EXPECTED_NAMES = new Set([
  'StartupError',
  'ConfigurationError',
  'EmbeddedPostgresError',
  'MigrationRefusedError',
]);

/** The lines to print for an expected fault of a start; undefined for a bug or an outage. */
export function startupLines(error: unknown): string | undefined {
  return error instanceof Error && EXPECTED_NAMES.has(error.name) ? error.message : undefined;
}

/**
 * Recognized by shape: errors of the runtime may belong to another realm, where no class matches.
 */
function codeOf(error: unknown): string {
  const code = (error as { code?: unknown } | null)?.code;
  return typeof code === 'string' ? code : '';
}

const LISTEN_FAULTS: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use by another program; set it to a free port',
  EACCES: 'may not be opened by this user; set it to a port from 1024 on',
  EADDRNOTAVAIL: 'cannot be opened: HOST is no address of this machine',
  ENOTFOUND: 'cannot be opened: HOST is no address of this machine',
};

/**
 * Runs a `listen`. Throws StartupError, which names the variable, for a port that is in use or
 * closed to this user and for an address that is not here.
 */
export async function listenOn<T>(
  variable: string,
  host: string,
  port: number,
  listen: () => Promise<T>,
): Promise<T> {
  try {
    return await listen();
  } catch (error) {
    const fault = LISTEN_FAULTS[codeOf(error)];
    if (fault === undefined) throw error;
    throw new StartupError(`${variable}: port ${port} of ${host} ${fault}`, { cause: error });
  }
}

/** The same for a socket of this machine. */
export async function listenAt(
  variable: string,
  socketPath: string,
  listen: () => Promise<void>,
): Promise<void> {
  try {
    await listen();
  } catch (error) {
    const isTaken = codeOf(error) === 'EADDRINUSE';
    const fault = isTaken ? 'is in use by another process' : `cannot be made (${codeOf(error)})`;
    throw new StartupError(`${variable}: the socket ${socketPath} ${fault}`, { cause: error });
  }
}

const REFUSALS: Readonly<Record<string, string>> = {
  '28P01': 'refuses the user name or password',
  '28000': 'refuses this user or machine: its pg_hba.conf says whom it takes',
  '3D000': 'does not exist: create it, or correct the name in the URL',
  ENOTFOUND: 'does not answer: its host name is not known',
  EAI_AGAIN: 'does not answer: its host name cannot be looked up',
  '25006': 'takes no writes: it is set to read-only, or is a standby',
  '3F000':
    'has no schema public: make it, or add options=-c%20search_path%3D… with another to the URL',
  '42501': 'lacks a right that this user needs',
  '53300': 'has no connection left for this program',
  '53100': 'has no room left on its disk',
};

const LOST_CODE = /^(ECONN|EHOST|ENET|ETIMEDOUT|ENOTFOUND|EAI_|EPIPE|08|57)/;
const LOST_MESSAGE = /^connection terminated|^timeout|read timeout|not queryable/i;
/** Errors that the log and its users make of an outage; they may come from another thread. */
const LOST_NAMES = new Set([
  'LogUnavailableError',
  'AppendUncertainError',
  'AccountingUnavailableError',
  'OutcomeUnknownError',
]);
const LOST_SLUGS = new Set(['outcome-unknown', 'accounting-unavailable']);

interface DescribedError {
  readonly name?: unknown;
  readonly message?: unknown;
  /** Of a ProblemException. */
  readonly problem?: { readonly slug?: string };
  /** Of the account that is damaged. */
  readonly accountId?: unknown;
}

/** Whether an error is of an outage: a connection that is refused or lost, accounting away. */
export function isLost(error: unknown): boolean {
  const { name, message, problem, accountId } = (error ?? {}) as DescribedError;
  if (accountId !== undefined) return false;
  if (LOST_NAMES.has(String(name)) || LOST_SLUGS.has(problem?.slug ?? '')) return true;
  return LOST_CODE.test(codeOf(error)) || LOST_MESSAGE.test(String(message));
}

/** Host, port and database of a connection string: what may be printed of it. */
export function addressOf(url: string): string {
  const [, hosts = '', path = ''] =
    /^[a-z]+:\/\/(?:[^/?#]*@)?([^/?#@]*)(\/[^?#]*)?/i.exec(url) ?? [];
  return `${hosts || 'the local host'}${path}`;
}

/** A database as an operator has set it. */
export interface SetDatabase {
  readonly url: string;
  /** The folder of an embedded one. */
  readonly folder?: string | undefined;
  /** As the owner of its tables connects, where that is another user. */
  readonly migrationUrl?: string | null;
}

/** The setting that names a database, and where that is. `asOwner`: as it is migrated. */
export function databaseName({ url, folder, migrationUrl }: SetDatabase, asOwner = false): string {
  if (folder !== undefined) return `DATA_DIR: the embedded database in ${folder}`;
  const [setting, place] =
    asOwner && migrationUrl ? ['MIGRATION_DATABASE_URL', migrationUrl] : ['DATABASE_URL', url];
  return `${setting}: the database at ${addressOf(place)}`;
}

function refusalOf(error: unknown): string | undefined {
  const { name, message } = error as DescribedError;
  // It says what about the database is wrong.
  if (name === 'MigrationRefusedError') return String(message);
  const code = codeOf(error);
  const reason = REFUSALS[code] ?? (isLost(error) ? 'does not answer' : undefined);
  if (reason === undefined) return undefined;
  const detail = code === '' ? '' : ` (${code})`;
  const ofServers = name === 'ServerRefusedError' ? `: ${String(message)}` : '';
  return `${reason}${detail}${ofServers}`;
}

/**
 * Runs a start's work with a database. Throws StartupError for one that does not answer, does not
 * let this program in, or is of another version; secrets of the URL are never printed.
 */
export async function withAnsweringDatabase<T>(
  database: SetDatabase,
  work: () => Promise<T>,
  asOwner = false,
): Promise<T> {
  try {
    return await work();
  } catch (error) {
    const refusal = refusalOf(error);
    if (refusal === undefined) throw error;
    const line = `${databaseName(database, asOwner)} ${refusal}`;
    throw new StartupError(line, { cause: error });
  }
}
