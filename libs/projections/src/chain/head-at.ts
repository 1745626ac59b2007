import type pg from 'pg';
import type { ChainPlace } from '#account/charging.js';
import type { MonthClosed } from '#account/periods.js';
import { laneOf } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';

/** Events that are read at once: others wait for as long as it takes to hash them. */
const PAGE = 500;

/**
 * The head of an account's chain after the event of a version, 64 hex digits. The log does not hold
 * heads: it is worked out from the last one before that is known.
 */
export async function headAt(pool: pg.Pool, accountId: string, version: number): Promise<string> {
  let { version: at, head } = await readAnchor(pool, accountId, version - 1);
  while (at < version) {
    const { rows } = await pool.query<EventRow>({
      name: 'chain-events',
      text: `select ${EVENT_COLUMNS} from event e
              where e.lane = $1 and e.account_id = $2
                and e.account_version > $3 and e.account_version <= $4
              order by e.account_version`,
      values: [laneOf(accountId), accountId, at, Math.min(at + PAGE, version)],
    });
    if (rows.length === 0) {
      throw new Error(`Account ${accountId} has no event ${at + 1} in the log.`);
    }
    for (const event of rows.map(toStoredEvent)) {
      at += 1;
      if (event.accountVersion !== at) {
        throw new Error(`Account ${accountId} has no event ${at} in the log.`);
      }
      head = hashEvent(head, event);
    }
  }
  return head;
}

/** The newest known head at a version or before it. */
async function readAnchor(pool: pg.Pool, accountId: string, version: number): Promise<ChainPlace> {
  const { rows } = await pool.query<ChainPlace>({
    name: 'chain-snapshot',
    text: `select version, encode(head, 'hex') as head from ledger_snapshot
            where lane = $1 and account_id = $2 and version <= $3 and head is not null
            order by version desc limit 1`,
    values: [laneOf(accountId), accountId, version],
  });
  const known = rows[0] ?? { version: 0, head: FIRST_HEAD };
  const closed = await readClose(pool, accountId, known.version, version);
  return closed ?? known;
}

/** The head after the last close of a month among these versions, which holds the one before it. */
async function readClose(
  pool: pg.Pool,
  accountId: string,
  after: number,
  last: number,
): Promise<ChainPlace | undefined> {
  const { rows } = await pool.query<EventRow>({
    name: 'chain-close',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = $1 and e.account_id = $2 and e.type <> 'CallMade'
              and e.type = 'MonthClosed' and e.account_version between $3 and $4
            order by e.account_version desc limit 1`,
    values: [laneOf(accountId), accountId, after + 1, last],
  });
  const [close] = rows.map(toStoredEvent);
  if (close === undefined) return undefined;
  const { account_head: before } = JSON.parse(close.data) as MonthClosed;
  return before === undefined
    ? undefined
    : { version: close.accountVersion, head: hashEvent(before, close) };
}
