/** Kinds of faults between this process and the database, by SQLSTATE and socket errors. */
export type DatabaseFault =
  /** The connection is gone or was never there: what was under way may have been committed. */
  | 'connection-lost'
  /** The same between the server and another one of its cluster: this connection goes on. */
  | 'node-lost'
  | 'unique-violation'
  /** The data itself is refused: class 22, 23 (but for uniqueness) and 54. */
  | 'data-error'
  /** A serialization failure, a deadlock, something in use: rolled back, worth another try. */
  | 'contention'
  /** The server ran out of something or had to stop the statement: mostly rolled back. */
  | 'resource-exhausted'
  /** The server takes no writes now: it was set so, or it is a standby. Nothing was written. */
  | 'read-only'
  | 'other';

const LOST_SOCKET_CODES = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'EAI_AGAIN',
  'ENOTFOUND',
  'ENOENT',
]);
/** The server ends the connection with these: it goes down, or the session was silent too long. */
const ENDED_STATES = new Set(['25P03', '25P04', '57P01', '57P02', '57P03', '57P05']);
// The driver reports some losses without a code; these are its words for them.
const LOST_MESSAGES =
  /^connection terminated|^timeout ex(?:pired|ceeded)|read timeout|not queryable/i;
const SQLSTATE = /^[0-9A-Z]{5}$/;
const DISK_FULL = '53100';
const TRANSIENT: ReadonlySet<DatabaseFault> = new Set([
  'connection-lost',
  'node-lost',
  'contention',
  'resource-exhausted',
  'read-only',
]);
const STATES_BY_CLASS: Readonly<Record<string, DatabaseFault>> = {
  '22': 'data-error',
  '23': 'data-error',
  '25': 'contention',
  '40': 'contention',
  '53': 'resource-exhausted',
  '54': 'data-error',
  '55': 'contention',
  '57': 'resource-exhausted',
  '58': 'resource-exhausted',
};

/** By shape: an error of another realm (a test's sandbox, a worker) is no instance of ours. */
function textMember(error: unknown, name: string): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  const value = (error as Readonly<Record<string, unknown>>)[name];
  return typeof value === 'string' ? value : undefined;
}

/** SQLSTATE or socket error code of an error, if it has one. */
export function codeOf(error: unknown): string | undefined {
  return textMember(error, 'code');
}

/** A cluster adds the number of the shard to the name of a constraint. */
const SHARD = /_\d{6,}$/;
/** One of its servers may name it in the message alone. */
const NAMED = /unique constraint "([^"]+)"/;

/** Name of the constraint that refused a row, if the server named one. */
export function constraintOf(error: unknown): string | undefined {
  const named = textMember(error, 'constraint');
  return (named ?? NAMED.exec(textMember(error, 'message') ?? '')?.[1])?.replace(SHARD, '');
}

/** A server of a cluster that refuses one of many rows names no other code. */
const UNCODED = 'XX000';
const REFUSED_ROW = /violates .+ constraint|out of range|invalid input syntax/;

/** Classifies an error thrown by the driver. Pure; never throws. */
export function faultOf(error: unknown): DatabaseFault {
  if (error instanceof AggregateError && error.errors.length > 0) return faultOf(error.errors[0]);
  const code = codeOf(error);
  if (code === undefined) return lostByMessage(error) ? 'connection-lost' : 'other';
  if (LOST_SOCKET_CODES.has(code)) return 'connection-lost';
  const isEnd = ENDED_STATES.has(code) || /^08...$/.test(code);
  // A server whose own connection ends says so with another severity.
  if (isEnd) return textMember(error, 'severity') === 'ERROR' ? 'node-lost' : 'connection-lost';
  if (code === '23505') return 'unique-violation';
  if (code === '25006') return 'read-only';
  if (code === UNCODED) return uncodedFault(textMember(error, 'message') ?? '');
  if (!SQLSTATE.test(code)) return 'other';
  return STATES_BY_CLASS[code.slice(0, 2)] ?? 'other';
}

/** True for faults that may heal by themselves: nothing is wrong with what was asked. */
export function isTransient(error: unknown): boolean {
  return TRANSIENT.has(faultOf(error));
}

/**
 * True for faults of the database that are not about the data it was handed: a permission or a
 * table that is missing, a bug of the server. Somebody may put it right while the same thing is
 * tried again.
 */
export function isDatabaseTrouble(error: unknown): boolean {
  const fault = faultOf(error);
  if (fault !== 'other') return TRANSIENT.has(fault);
  return SQLSTATE.test(codeOf(error) ?? '');
}

/** The server is gone, or takes no writes any more: another connection may lead to a better one. */
export function needsNewConnection(error: unknown): boolean {
  const fault = faultOf(error);
  return fault === 'connection-lost' || fault === 'read-only';
}

/** Data or index corrupted, a file that is missing or cannot be read, an internal error. */
const UNREADABLE = /^(?:XX00\d|58030|58P01)$/;

/** Whether the server cannot read what it has stored: a page, an index, a file. */
export function isUnreadable(error: unknown): boolean {
  return UNREADABLE.test(codeOf(error) ?? '');
}

/** Whether the disk of the database is full. */
export function isDiskFull(error: unknown): boolean {
  return codeOf(error) === DISK_FULL;
}

function uncodedFault(message: string): DatabaseFault {
  if (NAMED.test(message)) return 'unique-violation';
  return REFUSED_ROW.test(message) ? 'data-error' : 'other';
}

function lostByMessage(error: unknown): boolean {
  return LOST_MESSAGES.test(textMember(error, 'message') ?? '');
}
