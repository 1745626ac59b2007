import { archivedFault } from '#event-log/archive-events.js';

/**
 * A lane as JSON lines, one for each event, in order: line 123 holds position 123. The stored text
 * of `data` is a JSON string, so that its bytes survive; the last event of an append carries what
 * closed the lane's chain over it.
 *
 * `{"position":1,"account_id":"…","account_version":1,"call_id":"…" or null,"type":"…",
 *   "at":"2026-11-24T09:00:00.123+00:00","data":"{…}",
 *   "batch":{"events":1,"hash":"<64 hex digits>","committed_at":"…"}}`
 */
const LINE = `'{"position":' || e.position
  || ',"account_id":"' || e.account_id
  || '","account_version":' || e.account_version
  || ',"call_id":' || coalesce('"' || e.call_id || '"', 'null')
  || ',"type":' || to_json(e.type)
  || ',"at":' || to_json(e.at)
  || ',"data":' || to_json(e.data::text)
  || coalesce(',"batch":{"events":' || b.events || ',"hash":"' || encode(b.hash, 'hex')
       || '","committed_at":' || to_json(b.committed_at) || '}', '')
  || '}'`;

/**
 * The COPY that writes a lane up to a position: what comes later is not in the backup. JSON text
 * holds no control characters and no line breaks, so with these two as quote and delimiter the
 * server puts out every line as it is.
 */
export function copyLane(lane: number, position: number): string {
  return `copy (
    select ${LINE} from event e
      left join batch b on b.lane = e.lane and b.last_position = e.position
     where e.lane = ${lane} and e.position <= ${position} order by e.position
  ) to stdout (format csv, quote e'\\x01', delimiter e'\\x02')`;
}

/** The head of a lane's chain over the events since the batch before. */
export interface BatchLine {
  readonly events: number;
  /** 64 hex digits. */
  readonly hash: string;
  /** RFC 3339 with microseconds. */
  readonly committedAt: string;
}

/** An event as its line holds it. */
export interface EventLine {
  readonly position: number;
  readonly accountId: string;
  readonly accountVersion: number;
  readonly callId: string | null;
  readonly type: string;
  /** RFC 3339 with at most milliseconds. */
  readonly at: string;
  readonly data: string;
  readonly batch: BatchLine | null;
}

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,3})?\+00:00$/;
const EXACT_MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,6})?\+00:00$/;
const HASH = /^[0-9a-f]{64}$/;

type Members = Readonly<Record<string, unknown>>;

/** Reads a line, or answers why it is none. Pure. */
export function parseLaneLine(text: string): EventLine | string {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return 'is no JSON';
  }
  if (typeof value !== 'object' || value === null) return 'is no JSON object';
  const { position, account_id, account_version, call_id, type, at, data, batch } =
    value as Members;
  if (!isCount(position)) return 'position is no positive integer';
  if (!isText(account_id, UUID)) return 'account_id is no UUID';
  if (!isCount(account_version)) return 'account_version is no positive integer';
  if (call_id !== null && !isText(call_id, UUID)) return 'call_id is neither a UUID nor null';
  if (typeof type !== 'string') return 'type is no text';
  if (!isText(at, MOMENT)) return 'at is no moment in whole milliseconds';
  if (typeof data !== 'string') return 'data is no text';
  const archived = archivedFault(data);
  if (archived !== undefined) return archived;
  const closing = batch === undefined ? null : parseBatch(batch);
  if (typeof closing === 'string') return closing;
  return {
    position,
    accountId: account_id,
    accountVersion: account_version,
    callId: call_id,
    type,
    at,
    data,
    batch: closing,
  };
}

function parseBatch(value: unknown): BatchLine | string {
  if (typeof value !== 'object' || value === null) return 'batch is no JSON object';
  const { events, hash, committed_at } = value as Members;
  if (!isCount(events)) return 'batch.events is no positive integer';
  if (!isText(hash, HASH)) return 'batch.hash is no SHA-256';
  if (!isText(committed_at, EXACT_MOMENT)) return 'batch.committed_at is no moment';
  return { events, hash, committedAt: committed_at };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isText(value: unknown, pattern: RegExp): value is string {
  return typeof value === 'string' && pattern.test(value);
}
