import type { StoredEvent } from './event-log.js';

/** Columns of an event as `toStoredEvent` reads them, of the table `event` under the alias `e`. */
export const EVENT_COLUMNS = `e.lane, e.position, e.account_id, e.account_version, e.call_id,
  e.type, (date_part('epoch', e.at) * 1000)::int8 as at, e.data::text as data`;

export interface EventRow {
  readonly lane: number;
  readonly position: number;
  readonly account_id: string;
  readonly account_version: number;
  readonly call_id: string | null;
  readonly type: string;
  readonly at: number;
  readonly data: string;
}

/** An event as it was stored. The row must come from a pool of `openDatabase`. */
export function toStoredEvent(row: EventRow): StoredEvent {
  return {
    lane: row.lane,
    position: row.position,
    accountId: row.account_id,
    accountVersion: row.account_version,
    callId: row.call_id,
    type: row.type,
    at: row.at,
    data: row.data,
  };
}
