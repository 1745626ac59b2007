import type pg from 'pg';
import type { ChainPlace } from '#account/charging.js';
import type { MonthClosed } from '#account/events.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';
import { FIRST_HEAD, hashEvent } from '#event-log/hash-chain.js';

/** An event with the head of its account's chain after it. */
export interface ChainedEvent {
  readonly event: StoredEvent;
  /** 64 hex digits. */
  readonly head: string;
}

/** Events that are read at once: others wait for as long as it takes to hash them. */
const PAGE = 500;

/**
 * Events of an account from one version to another with their heads, page by page. The log does not
 * hold heads: they are worked out from the last one before that is known.
 */
export async function* accountChain(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  first: number,
  last: number,
): AsyncGenerator<readonly ChainedEvent[]> {
  let { version, head } = await readAnchor(db, accountId, first - 1);
  while (version < last) {
    const upTo = Math.min(version + PAGE, last);
    const page = await readEvents(db, accountId, version, upTo);
    if (page.length < upTo - version) {
      throw new Error(`Account ${accountId} has no event ${version + page.length + 1} in the log.`);
    }
    const chained = page.map((event) => ({ event, head: (head = hashEvent(head, event)) }));
    version = upTo;
    const wanted = chained.filter(({ event }) => event.accountVersion >= first);
    if (wanted.length > 0) yield wanted;
  }
}

/** The newest known head at a version or before it. */
async function readAnchor(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  version: number,
): Promise<ChainPlace> {
  const { rows } = await db.query<ChainPlace>({
    name: 'chain-snapshot',
    text: `select version, encode(head, 'hex') as head from ledger_snapshot
            where lane = $1 and account_id = $2 and version <= $3 and head is not null
            order by version desc limit 1`,
    values: [laneOf(accountId), accountId, version],
  });
  const known = rows[0] ?? { version: 0, head: FIRST_HEAD };
  const closed = await readClose(db, accountId, known.version, version);
  return closed ?? known;
}

/** The head after the last close of a month among these versions, which holds the one before it. */
async function readClose(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  after: number,
  last: number,
): Promise<ChainPlace | undefined> {
  const { rows } = await db.query<EventRow>({
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

async function readEvents(
  db: pg.Pool | pg.ClientBase,
  accountId: string,
  after: number,
  last: number,
): Promise<readonly StoredEvent[]> {
  const { rows } = await db.query<EventRow>({
    name: 'chain-events',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = $1 and e.account_id = $2
              and e.account_version > $3 and e.account_version <= $4
            order by e.account_version`,
    values: [laneOf(accountId), accountId, after, last],
  });
  return rows.map(toStoredEvent);
}
