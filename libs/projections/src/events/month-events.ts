import type pg from 'pg';
import type { AccountEvent } from '#account/events.js';
import type { OpeningGrant } from '#invoice-rules/month-facts.js';
import { laneOf } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import type { StoredEvent } from '#event-log/event-log.js';
import { readEvent } from '../snapshots/account-tail.js';
import { readable } from '../texts/readable.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Events of one account by their versions, the last included. */
export interface EventRange {
  readonly accountId: string;
  readonly first: number;
  readonly last: number;
}

/** An event of an account with its place in the log. */
export interface PlacedEvent {
  readonly stored: StoredEvent;
  readonly event: AccountEvent;
}

/**
 * Events of accounts, of these types and no calls, in the order of each account: an index without
 * the calls leads to them, however many there were.
 */
export async function readChanges(
  db: pg.Pool | pg.ClientBase,
  ranges: readonly EventRange[],
  types: readonly AccountEvent['type'][],
): Promise<ReadonlyMap<string, readonly PlacedEvent[]>> {
  const rows = await queryByLane<EventRow, EventRange>(
    db,
    ranges,
    ({ accountId }) => laneOf(accountId),
    (own) => ({
      name: 'account-changes',
      text: `select ${EVENT_COLUMNS}
             from unnest($1::smallint[], $2::uuid[], $3::bigint[], $4::bigint[])
                  as wanted (lane, account_id, first, last)
            cross join lateral (
              select * from event
               where lane = wanted.lane and account_id = wanted.account_id
                 and account_version between wanted.first and wanted.last
                 and type <> 'CallMade' and type = any ($5)
               order by account_version) e
            order by e.account_id, e.account_version`,
      values: [
        own.map(({ accountId }) => laneOf(accountId)),
        own.map(({ accountId }) => accountId),
        own.map(({ first }) => first),
        own.map(({ last }) => last),
        types,
      ],
    }),
  );
  const found = new Map<string, PlacedEvent[]>(ranges.map(({ accountId }) => [accountId, []]));
  for (const stored of await readable(db, rows.map(toStoredEvent))) {
    found.get(stored.accountId)?.push({ stored, event: readEvent(stored) });
  }
  return found;
}

/** The voids of accounts from a version of each on, by account. */
export async function readVoids(
  db: pg.Pool | pg.ClientBase,
  from: readonly { readonly accountId: string; readonly first: number }[],
): Promise<ReadonlyMap<string, readonly AccountEvent[]>> {
  if (from.length === 0) return new Map();
  const ranges = from.map((range) => ({ ...range, last: Number.MAX_SAFE_INTEGER }));
  const found = await readChanges(db, ranges, ['GrantVoided']);
  return new Map([...found].map(([id, events]) => [id, events.map(({ event }) => event)]));
}

/** Events that move credits beside calls. */
export const MOVING: readonly AccountEvent['type'][] = [
  'CreditsGranted',
  'Adjusted',
  'GrantExpired',
  'GrantVoided',
];

/** The rest of one account's grants, by ordinal. */
export interface LeftGrants {
  readonly accountId: string;
  readonly left: readonly (readonly [grant: number, left: number])[];
}

/** Grants with something left, as they were given. */
export async function readOpeningGrants(
  db: pg.Pool | pg.ClientBase,
  accounts: readonly LeftGrants[],
): Promise<ReadonlyMap<string, readonly OpeningGrant[]>> {
  const wanted = accounts.flatMap(({ accountId, left }) =>
    left.map(([ordinal, credits]) => ({ accountId, ordinal, credits })),
  );
  if (wanted.length === 0) return new Map();
  const rows = await queryByLane<
    OpeningGrant & { readonly account_id: string },
    (typeof wanted)[number]
  >(
    db,
    wanted,
    ({ accountId }) => laneOf(accountId),
    (own) => ({
      name: 'opening-grants',
      text: `select w.account_id, w.ordinal, e.data ->> 'grant_id' as id,
                  coalesce(e.data ->> 'kind', 'adjustment') as kind,
                  (e.data ->> 'credits')::bigint as credits,
                  (e.data ->> 'price')::bigint as price, w.credits as left
             from unnest($1::smallint[], $2::uuid[], $3::int[], $4::bigint[])
                  as w (lane, account_id, ordinal, credits)
            cross join lateral (
              select data from event
               where lane = w.lane and account_id = w.account_id and type <> 'CallMade'
                 and type in ('CreditsGranted', 'Adjusted')
                 and (data ->> 'grant')::int = w.ordinal) e
            order by w.account_id, w.ordinal`,
      values: [
        own.map(({ accountId }) => laneOf(accountId)),
        own.map(({ accountId }) => accountId),
        own.map(({ ordinal }) => ordinal),
        own.map(({ credits }) => credits),
      ],
    }),
  );
  const found = new Map<string, OpeningGrant[]>();
  for (const { account_id: accountId, ...grant } of rows) {
    found.set(accountId, [...(found.get(accountId) ?? []), grant]);
  }
  return found;
}
