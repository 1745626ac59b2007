import type pg from 'pg';
import { dueAt } from '#account/advance.js';
import type { AccountState } from '#account/state.js';
import type { Calendar } from '#calendar/calendar.js';
import {
  byteaArray,
  int2Array,
  int8Array,
  jsonArray,
  momentArray,
  textArray,
  uuidArray,
} from '#event-log/binary-array.js';
import { laneOf, SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import { MILESTONE_EVERY } from '#event-log/milestones.js';
import { EVENTS_COLUMNS, eventsOfRow, ROW_EVENTS, type EventsRow } from '#event-log/events-row.js';
import { stateFromJson, stateToJson } from '../snapshots/account-row.js';
import {
  newAccount,
  type FollowedAccount,
  type IssuedKey,
  type OpenedKey,
  type SettledAccount,
} from './settled-account.js';
import { queryByLane } from '#event-log/query-by-lane.js';

interface Row {
  readonly account_id: string;
  readonly state: string;
  readonly head: string;
  readonly settled: number;
}

/** An account with events that are to be applied, up to one of them. */
export interface WantedAccount extends FollowedAccount {
  readonly last: StoredEvent;
}

/** The accounts of these events as their rows say, each with the last of its events. */
export async function loadRows(
  client: pg.ClientBase,
  events: readonly StoredEvent[],
): Promise<ReadonlyMap<string, WantedAccount>> {
  const own = events.filter(({ lane }) => lane !== SYSTEM_LANE);
  const wanted = new Map<string, WantedAccount>(
    own.map((last) => [last.accountId, { ...newAccount(), last }]),
  );
  const ids = [...wanted.keys()];
  if (ids.length === 0) return wanted;
  const rows = await queryByLane<Row, string>(client, ids, laneOf, (own) => ({
    name: 'ledger-rows',
    text: `select a.account_id, a.state::text as state, encode(a.head, 'hex') as head,
                  (extract(epoch from a.settled_until) * 1000)::int8 as settled
             from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
             join ledger_account a using (lane, account_id)`,
    values: [own.map(laneOf), own],
  }));
  for (const { account_id: id, state, head, settled: settledUntil } of rows) {
    const account = { state: stateFromJson(state), head };
    const last = wanted.get(id)?.last;
    if (last !== undefined) wanted.set(id, { account, settledUntil, opened: [], last });
  }
  return wanted;
}

/** Some events of an account after its row, by version, that come as one row. */
interface Span {
  readonly accountId: string;
  readonly after: number;
  readonly to: number;
  /** Position in the lane. */
  readonly upTo: number;
}

function* spansOf([accountId, wanted]: readonly [accountId: string, wanted: WantedAccount]) {
  const { account, last } = wanted;
  const end = last.accountVersion + MILESTONE_EVERY;
  for (let after = account.state.version; after < end; after += ROW_EVENTS) {
    const to = Math.min(after + ROW_EVENTS, end);
    yield { accountId, after, to, upTo: last.position } satisfies Span;
  }
}

/**
 * Events of accounts after their rows, as far as they are wanted, each account's in the order of
 * the log: an event of a version that was changed is met where it stands. What comes long after is
 * not looked at. The texts of an account's events are parts of a few.
 */
export async function readSpans(
  client: pg.ClientBase,
  accounts: readonly (readonly [accountId: string, wanted: WantedAccount])[],
): Promise<readonly StoredEvent[]> {
  const rows = await queryByLane<EventsRow & { readonly account_id: string }, Span>(
    client,
    accounts.flatMap((account) => [...spansOf(account)]),
    ({ accountId }) => laneOf(accountId),
    (own) => ({
      name: 'ledger-spans',
      text: `select span.account_id, e.*
             from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[], $5::bigint[])
                    as span (lane, account_id, after, to_version, up_to)
            cross join lateral (
              select ${EVENTS_COLUMNS} from (
                select * from event
                 where lane = span.lane and account_id = span.account_id
                   and account_version > span.after and account_version <= span.to_version
                   and position <= span.up_to
                 order by account_version) e) e`,
      values: [
        int2Array(own.map(({ accountId }) => laneOf(accountId))),
        uuidArray(own.map(({ accountId }) => accountId)),
        int8Array(own.map(({ after }) => after)),
        int8Array(own.map(({ to }) => to)),
        int8Array(own.map(({ upTo }) => upTo)),
      ],
    }),
  );
  const events = new Map<string, StoredEvent[]>();
  for (const row of rows) {
    const found = eventsOfRow(row.account_id, row);
    const before = events.get(row.account_id);
    if (before === undefined) events.set(row.account_id, found);
    else before.push(...found);
  }
  return [...events.values()].flatMap(inLog);
}

/** Events come by version. They stand in the log by position: the same, unless one was changed. */
function inLog(events: StoredEvent[]): StoredEvent[] {
  const isInOrder = events.every(
    ({ position }, index) => index === 0 || position > (events[index - 1]?.position ?? 0),
  );
  return isInOrder ? events : events.toSorted((a, b) => a.position - b.position);
}

/** An account with a test clock stands still until it is moved: no timer has to look after it. */
function realDueAt(state: AccountState, calendar: Calendar): number | null {
  return state.testClock === null ? dueAt(state, calendar) : null;
}

export async function saveAccounts(
  client: pg.ClientBase,
  accounts: ReadonlyMap<string, SettledAccount>,
  calendar: Calendar,
): Promise<void> {
  const all = [...accounts];
  await client.query({
    name: 'ledger-save',
    text: `insert into ledger_account
             (lane, account_id, version, head, state, due_at, settled_until)
           select lane, account_id, version, head, state, to_timestamp(due_ms / 1000.0),
                  settled_until
             from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bytea[], $5::json[],
                         $6::bigint[], $7::timestamptz[])
                  as row (lane, account_id, version, head, state, due_ms, settled_until)
           on conflict (lane, account_id) do update
              set version = excluded.version, head = excluded.head, state = excluded.state,
                  due_at = excluded.due_at, settled_until = excluded.settled_until`,
    values: [
      int2Array(all.map(([id]) => laneOf(id))),
      uuidArray(all.map(([id]) => id)),
      int8Array(all.map(([, { account }]) => account.state.version)),
      byteaArray(all.map(([, { account }]) => account.head)),
      jsonArray(all.map(([, { account }]) => stateToJson(account.state))),
      all.map(([, { account }]) => realDueAt(account.state, calendar)),
      momentArray(all.map(([, { settledUntil }]) => settledUntil)),
    ],
  });
}

export async function saveOpened(
  client: pg.ClientBase,
  opened: readonly OpenedKey[],
): Promise<void> {
  if (opened.length === 0) return;
  await client.query({
    name: 'ledger-opened',
    text: `insert into ledger_opened (lane, account_id, key, call_id, at)
           select * from unnest($1::smallint[], $2::uuid[], $3::text[], $4::uuid[],
                                $5::timestamptz[])`,
    values: [
      int2Array(opened.map(({ lane }) => lane)),
      uuidArray(opened.map(({ accountId }) => accountId)),
      textArray(opened.map(({ key }) => key)),
      uuidArray(opened.map(({ callId }) => callId)),
      momentArray(opened.map(({ at }) => at)),
    ],
  });
}

export async function saveApiKeys(
  client: pg.ClientBase,
  issued: readonly IssuedKey[],
): Promise<void> {
  if (issued.length === 0) return;
  await client.query(
    `insert into ledger_api_key (hash, lane, account_id, api_key)
     select * from unnest($1::bytea[], $2::smallint[], $3::uuid[], $4::int[])`,
    [
      issued.map(({ hash }) => Buffer.from(hash, 'hex')),
      issued.map(({ lane }) => lane),
      issued.map(({ accountId }) => accountId),
      issued.map(({ apiKey }) => apiKey),
    ],
  );
}
