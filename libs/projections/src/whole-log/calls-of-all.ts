import type pg from 'pg';
import { laneOf, LANES_OF_ACCOUNTS, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import type { Order } from '#web/query.js';
import { readAccountNames } from '../reads/account-names.js';
import { readable } from '../texts/readable.js';
import type { ApiKeyIds } from '../usage/api-keys.js';
import { ANY_CALL, CALL_RECORD, onCall, type CallConditions } from '../usage/call-conditions.js';
import { callView } from '../usage/call-view.js';
import type { CallMatch, CallView, Page } from '../views/account-reads.js';
import { comparisonFor } from '../views/pages.js';
import { decodePlaces, encodePlaces, lastPlaces, type LanePlaces } from './places.js';
import { LOG_START } from './read-behind.js';
import { queryByLane } from '#event-log/query-by-lane.js';

const LIST = 'all-calls';

/** A call with its account. */
export interface AccountCallView extends CallView {
  readonly account_id: string;
  /** Null: erased, or opened in the last moments. */
  readonly account_name: string | null;
}

/** Which calls of all accounts are listed. */
export interface AllCallsFilter extends Omit<CallMatch, 'apiKeyId' | 'tag'> {
  readonly after: string | null;
  readonly limit: number;
  readonly order: Order;
  /** Inclusive and exclusive bounds, ms since 1970. */
  readonly from: number | null;
  readonly to: number | null;
  /** Calls of test accounts alone, or none of them; null: all. */
  readonly test: boolean | null;
}

/**
 * Calls of all accounts, merged by moment from their lanes. A lane is in the order in which it was
 * written, so calls of one account are in theirs. Throws BadCursorError.
 */
export async function callsOfAll(
  pool: pg.Pool,
  filter: AllCallsFilter,
): Promise<Page<AccountCallView>> {
  const { after, limit, order } = filter;
  const places = after === null ? await firstPlaces(pool, order) : decodePlaces(LIST, after);
  const found = await readLanes(pool, places, filter);
  const merged = inOrder(found, order);
  const shown = merged.slice(0, limit);
  const reached = [...places];
  for (const { lane, position } of shown) reached[lane] = position;
  return {
    items: await show(pool, shown),
    next: merged.length > limit ? encodePlaces(LIST, reached) : null,
  };
}

/** A list from the end leaves out all that is written meanwhile. */
async function firstPlaces(pool: pg.Pool, order: Order): Promise<LanePlaces> {
  if (order === 'asc') return LOG_START;
  return (await lastPlaces(pool)).map((position) => position + 1);
}

async function readLanes(
  pool: pg.Pool,
  places: LanePlaces,
  filter: AllCallsFilter,
): Promise<readonly StoredEvent[]> {
  const { limit, order, from, to, test } = filter;
  const bound: unknown[] = [];
  const bind = (value: unknown): string => `$${bound.push(value) + 3}`;
  const found = onCall(conditionsOf(filter), bind);
  const moment = (ms: number): string => `to_timestamp(${bind(ms)}::bigint / 1000.0)`;
  const within = [
    ...found,
    ...(from === null ? [] : [`e.at >= ${moment(from)}`]),
    ...(to === null ? [] : [`e.at < ${moment(to)}`]),
  ];
  const ofTest = test === null ? null : bind(test);
  const rows = await queryByLane<EventRow>(
    pool,
    LANES_OF_ACCOUNTS,
    (lane) => lane,
    (lanes) => {
      const conditions = [...within, ...(ofTest === null ? [] : [`${IS_TEST} = ${ofTest}`])];
      return {
        text: `select ${EVENT_COLUMNS}
         from unnest($1::bigint[], $2::int2[]) as place (position, lane)
        cross join lateral (
          select e.* from event e ${found.length === 0 ? '' : `cross join lateral ${CALL_RECORD}`}
           where e.lane = place.lane
             and e.position ${comparisonFor(order)} place.position
             and e.type = 'CallMade' ${conditions.map((one) => `and ${one}`).join(' ')}
           order by e.position ${order} limit $3) e`,
        values: [lanes.map((lane) => places[lane]), lanes, limit + 1, ...bound],
      };
    },
  );
  return rows.map(toStoredEvent);
}

/** An account without a row yet says it in its first event. */
const IS_TEST = `coalesce(
  (select (a.state ->> 'test')::boolean from ledger_account a
    where a.lane = e.lane and a.account_id = e.account_id),
  (select (o.data ->> 'test')::boolean from event o
    where o.lane = e.lane and o.account_id = e.account_id and o.account_version = 1))`;

function conditionsOf({
  resourceKey,
  resource,
  region,
  rule,
  kind,
}: AllCallsFilter): CallConditions {
  return { ...ANY_CALL, resourceKey, resource, region, rule, kind };
}

/** Merges lanes by moment; of each lane in the order of its positions. */
function inOrder(events: readonly StoredEvent[], order: Order): readonly StoredEvent[] {
  const sign = order === 'asc' ? 1 : -1;
  const byLane = events.toSorted(
    (one, other) => one.lane - other.lane || sign * (one.position - other.position),
  );
  let reached = { lane: 0, at: 0 };
  const placed = byLane.map((event) => {
    const { lane, at } = event;
    // A test clock may be ahead of what is written after it in its lane.
    const isFurther = lane !== reached.lane || sign * (at - reached.at) > 0;
    if (isFurther) reached = { lane, at };
    return { event, at: reached.at };
  });
  // Sorting is stable: what is left of equal moments stays in the order of lanes and positions.
  return placed.toSorted((one, other) => sign * (one.at - other.at)).map(({ event }) => event);
}

async function show(pool: pg.Pool, calls: readonly StoredEvent[]): Promise<AccountCallView[]> {
  const keys = await readKeysOf(pool, [...new Set(calls.map(({ accountId }) => accountId))]);
  const opened = await readable(pool, calls);
  const names = await readAccountNames(pool, keys.keys());
  return opened.map((stored) => ({
    account_id: stored.accountId,
    account_name: names.get(stored.accountId) ?? null,
    ...callView(keys.get(stored.accountId) ?? new Map<number, string>())(stored),
  }));
}

/** Ids of the API keys of accounts, by their ordinals. */
async function readKeysOf(
  pool: pg.Pool,
  accounts: readonly string[],
): Promise<ReadonlyMap<string, ApiKeyIds>> {
  const rows = await queryByLane<{ account: string; ordinal: number; id: string }, string>(
    pool,
    accounts,
    laneOf,
    (own) => ({
      name: 'api-key-ids-of',
      text: `select e.account_id as account, (e.data ->> 'api_key')::int as ordinal,
                  e.data ->> 'key_id' as id
             from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
             join event e on e.lane = wanted.lane and e.account_id = wanted.account_id
              and e.type <> 'CallMade' and e.type = 'ApiKeyIssued'`,
      values: [own.map(laneOf), own],
    }),
  );
  const keys = new Map<string, Map<number, string>>(accounts.map((id) => [id, new Map()]));
  for (const { account, ordinal, id } of rows) keys.get(account)?.set(ordinal, id);
  return keys;
}
