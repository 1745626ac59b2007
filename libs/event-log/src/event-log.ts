/** The lane of the system's own stream: rate cards, releases, the billing zone, number series. */
export const SYSTEM_LANE = 0;
/** Lanes of accounts are 1 to this. Fixed for ever: an account's lane is derived from its id. */
export const ACCOUNT_LANES = 64;
/** All lanes, the system's too; and those of accounts. */
export const ALL_LANES: readonly number[] = Array.from(
  { length: ACCOUNT_LANES + 1 },
  (_, lane) => SYSTEM_LANE + lane,
);
export const LANES_OF_ACCOUNTS: readonly number[] = ALL_LANES.slice(1);
/** The system's stream is kept as the events of this account, in the system's lane. */
export const SYSTEM_ACCOUNT = '00000000-0000-0000-0000-000000000000';
/** Groups of lanes of a store that keeps all lanes in one place. */
export const LANE_GROUPS = 8;

/** An event as a writer hands it over: decided, serialised and hashed, but without a position. */
export interface NewEvent {
  readonly accountId: string;
  /** 1, 2, 3, … within the account. */
  readonly accountVersion: number;
  /** The command that made it; null for events that fell due by themselves. Unique per lane. */
  readonly callId: string | null;
  readonly type: string;
  /** Milliseconds since 1970-01-01T00:00:00Z. */
  readonly at: number;
  /** The JSON text that is stored and hashed, byte for byte. */
  readonly data: string;
  /** The account's head after this event, from `hashEvent`: 64 hex digits. */
  readonly hash: string;
}

export interface StoredEvent extends Omit<NewEvent, 'hash'> {
  readonly lane: number;
  /** Dense per lane: 1, 2, 3, … */
  readonly position: number;
}

/** End of a lane: its last position and the head of its chain (64 hex digits, zeros at 0). */
export interface LaneEnd {
  readonly lane: number;
  readonly position: number;
  readonly head: string;
}

/** One append to one lane: what closed the lane's hash chain over its events. */
export interface StoredBatch {
  readonly lane: number;
  /** Position of its last event. */
  readonly lastPosition: number;
  /** How many events it holds, at least 1. */
  readonly events: number;
  /** The lane's head after it, from `hashBatch`: 64 hex digits. */
  readonly hash: string;
  /** Real time at which the store wrote it, ms since 1970. No chain vouches for it. */
  readonly committedAt: number;
}

/** All lanes, 0 to 64, in groups. */
export type LaneGroups = readonly (readonly number[])[];

/** Events for one lane, to be written only if the lane still stands at `end`. */
export interface LaneAppend {
  readonly end: LaneEnd;
  readonly events: readonly NewEvent[];
}

/** Names one command of one account: where to look for its event. */
export interface CallReference {
  readonly lane: number;
  readonly callId: string;
}

/**
 * The append-only log (docs: libs/event-log/README.md). Two adapters pass one contract suite.
 *
 *
 * Errors of an append: `LogUnavailableError` when the store did not answer and surely wrote
 * nothing; `AppendUncertainError` when the connection went away in a commit and its fate is
 * unknown; `BadEventError` when the store refuses an event for what it is (a duplicate call id
 * included). Nothing of any lane was written after the first and the last. Reads throw
 * `LogUnavailableError`.
 */
export interface EventLog {
  /**
   * Lanes that an append may write together; each lane is in one group. Others, once an append has
   * found that some have moved apart: it has written nothing.
   */
  readonly groups: LaneGroups;
  /**
   * Writes the events of all lanes that stand where expected, in one transaction and one
   * statement, and answers the new ends of exactly those lanes. A lane that is missing from the
   * answer was moved, or is being moved, by another writer: nothing of it was written. All lanes
   * are of one group.
   */
  append(appends: readonly LaneAppend[]): Promise<LaneEnd[]>;
  /** Ends of the lanes named, or of all. */
  ends(lanes?: readonly number[]): Promise<LaneEnd[]>;
  /** Events of a lane after a position, in order, at most `limit`. */
  read(lane: number, after: number, limit: number): Promise<StoredEvent[]>;
  /** Events of one account after a version, in order, at most `limit`. */
  readAccount(accountId: string, afterVersion: number, limit: number): Promise<StoredEvent[]>;
  /** Batches of a lane that end after a position, in order, at most `limit`. */
  batches(lane: number, after: number, limit: number): Promise<StoredBatch[]>;
  /** The events that these commands made, in any order; those not found are absent. */
  findCalls(calls: readonly CallReference[]): Promise<StoredEvent[]>;
}

/** Thrown when the store could not be reached and surely wrote nothing. */
export class LogUnavailableError extends Error {
  override readonly name = 'LogUnavailableError';
}

/** Thrown when a commit may or may not have happened. Look for the call ids before deciding. */
export class AppendUncertainError extends Error {
  override readonly name = 'AppendUncertainError';
}

/** Thrown when an event is refused for what it is, for example for a call id that exists. */
export class BadEventError extends Error {
  override readonly name = 'BadEventError';
}

/** The lane of an account: the last two bytes of its UUID modulo 64, plus 1. */
export function laneOf(accountId: string): number {
  // Every call asks several times. As 64 divides 256, its last two digits say it.
  const high = hexDigit(accountId.charCodeAt(accountId.length - 2));
  const low = hexDigit(accountId.charCodeAt(accountId.length - 1));
  const lane = ((16 * high + low) % ACCOUNT_LANES) + 1;
  return lane === 1 && accountId === SYSTEM_ACCOUNT ? SYSTEM_LANE : lane;
}

/** Value of a hex digit, from its code; NaN for any other character. */
function hexDigit(code: number): number {
  if (code >= 48 && code <= 57) return code - 48;
  const lower = code | 32;
  return lower >= 97 && lower <= 102 ? lower - 87 : Number.NaN;
}

/** All lanes in so many groups of neighbours. */
export function laneGroups(count: number): LaneGroups {
  const groupOf = (lane: number): number => Math.floor((lane * count) / ALL_LANES.length);
  return Array.from({ length: count }, (_, group) =>
    ALL_LANES.filter((lane) => groupOf(lane) === group),
  );
}
