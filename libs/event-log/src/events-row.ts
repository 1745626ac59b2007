import { laneOf, type StoredEvent } from './event-log.js';
import { MILESTONE_EVERY } from './milestones.js';

/** Events of one row at most: a text has an end, for the database as for this program. */
export const ROW_EVENTS = 2 * MILESTONE_EVERY;

/**
 * Stands between texts. JSON that the store takes cannot hold it as it is, neither inside of a
 * string nor between two, and no type of event does.
 */
const MARK = '\x1e';
const IN_SQL = String.raw`e'\x1e'`;
const SPACE = ' '.charCodeAt(0);
const MINUS = '-'.charCodeAt(0);
const ZERO = '0'.charCodeAt(0);
/** The type of nearly all events: a text of it for each would be looked up by its characters. */
const CALL = 'CallMade';

/**
 * SQL that makes one row of some events of one account, in the order in which they come: of rows of
 * the table `event` under the alias `e`. A row for each costs the driver more than the events do.
 */
export const EVENTS_COLUMNS = `string_agg(e.account_version::text, ' ') as versions,
  string_agg(e.position::text, ' ') as positions,
  string_agg((date_part('epoch', e.at) * 1000)::int8::text, ' ') as moments,
  string_agg(coalesce(e.call_id::text, ''), ' ') as call_ids,
  string_agg(e.type, ${IN_SQL}) as types, string_agg(e.data::text, ${IN_SQL}) as data`;

/** Columns are null where there are no events. */
export interface EventsRow {
  readonly versions: string | null;
  readonly positions: string | null;
  readonly moments: string | null;
  readonly call_ids: string | null;
  readonly types: string | null;
  readonly data: string | null;
}

/**
 * Events of an account out of `EVENTS_COLUMNS`. Their texts are parts of longer ones: whoever keeps
 * one keeps all of them.
 */
export function eventsOfRow(accountId: string, row: EventsRow): StoredEvent[] {
  const { versions, positions, moments, call_ids: callIds, types, data } = row;
  if (data === null) return [];
  const lane = laneOf(accountId);
  const texts = data.split(MARK);
  const nextVersion = integersOf(versions);
  const nextPosition = integersOf(positions);
  const nextMoment = integersOf(moments);
  const nextCall = partsOf(callIds, ' ');
  const nextType = partsOf(types, MARK);
  const events = texts.map((text) => {
    const [accountVersion, position, at] = [nextVersion(), nextPosition(), nextMoment()];
    const [callId, type] = [nextCall() || null, nextType()];
    return { lane, position, accountId, accountVersion, callId, type, at, data: text };
  });
  if (nextVersion() === 0 && nextType() === '') return events;
  throw new Error(`The events of account ${accountId} are not as many as their texts.`);
}

/** Safe integers of a text, one after the other; 0 after the last. */
function integersOf(text: string | null): () => number {
  const all = text ?? '';
  let place = 0;
  return () => {
    const isNegative = all.charCodeAt(place) === MINUS;
    if (isNegative) place += 1;
    let value = 0;
    for (; place < all.length; place += 1) {
      const code = all.charCodeAt(place);
      if (code === SPACE) break;
      value = value * 10 + code - ZERO;
    }
    place += 1;
    if (!Number.isSafeInteger(value)) throw new RangeError(`No safe integer: ${value}.`);
    return isNegative ? -value : value;
  };
}

/** Parts of a text, one after the other; empty after the last. */
function partsOf(text: string | null, separator: string): () => string {
  const all = text ?? '';
  let place = 0;
  return () => {
    const found = all.indexOf(separator, place);
    const end = found < 0 ? all.length : found;
    const isCall = end - place === CALL.length && all.startsWith(CALL, place);
    const part = isCall ? CALL : all.slice(place, end);
    place = end + 1;
    return part;
  };
}
