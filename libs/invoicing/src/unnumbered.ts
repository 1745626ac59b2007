import type pg from 'pg';
import { laneOf } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { documentIdOf, sealedDocument, type SealedDocument } from './sealed-document.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Ids of the documents that have a number. */
export type FindNumbered = (ids: readonly string[]) => Promise<{ has(id: string): boolean }>;

/** Nearly always the one before has a number. */
const FIRST_LOOK = 2;
const LOOK_FACTOR = 8;

/**
 * These sealed documents without a number, and before them those of the same accounts that were
 * sealed earlier: an account's documents are numbered in the order in which they were sealed. Read
 * from the log, because the projection that lists stranded ones may lag behind it.
 */
export async function withEarlier(
  pool: pg.Pool,
  sealed: readonly SealedDocument[],
  findNumbered: FindNumbered,
): Promise<readonly SealedDocument[]> {
  const accounts = new Map<string, readonly SealedDocument[]>();
  let open = [...new Set(sealed.map(({ accountId }) => accountId))];
  for (const accountId of open) accounts.set(accountId, []);
  for (let limit = FIRST_LOOK; open.length > 0; limit *= LOOK_FACTOR) {
    const newest = await readNewest(pool, open, limit);
    const numbered = await findNumbered([...newest.values()].flat().map(documentIdOf));
    for (const accountId of open) {
      const own = newest.get(accountId) ?? [];
      const last = own.findLastIndex((one) => numbered.has(documentIdOf(one)));
      accounts.set(accountId, own.slice(last + 1));
    }
    // Where all that was read has no number, there may be more.
    open = open.filter(
      (id) => newest.get(id)?.length === limit && accounts.get(id)?.length === limit,
    );
  }
  const asked = new Map(sealed.map((one) => [documentIdOf(one), one]));
  const found = [...accounts.values()].flat().map((one) => asked.get(documentIdOf(one)) ?? one);
  const ids = new Set(found.map(documentIdOf));
  // One that an older version has left behind a numbered one comes as it was asked for.
  return [...sealed.filter((one) => !ids.has(documentIdOf(one))), ...found];
}

/** The newest sealed documents of accounts, the oldest of each first. */
async function readNewest(
  pool: pg.Pool,
  accountIds: readonly string[],
  limit: number,
): Promise<ReadonlyMap<string, readonly SealedDocument[]>> {
  const rows = await queryByLane<EventRow, string>(pool, accountIds, laneOf, (own) => ({
    name: 'invoices-newest-sealed',
    text: `select ${EVENT_COLUMNS}
             from unnest($1::smallint[], $2::uuid[]) as wanted (lane, account_id)
            cross join lateral (
              select * from event
               where lane = wanted.lane and account_id = wanted.account_id
                 and type <> 'CallMade' and type in ('InvoiceSealed', 'CreditNoteSealed')
               order by account_version desc limit $3) e
            order by e.account_id, e.account_version`,
    values: [own.map(laneOf), own, limit],
  }));
  const found = new Map<string, SealedDocument[]>();
  for (const sealed of rows.map(toStoredEvent).map(sealedDocument)) {
    const own = found.get(sealed.accountId);
    if (own === undefined) found.set(sealed.accountId, [sealed]);
    else own.push(sealed);
  }
  return found;
}
