import type pg from 'pg';
import { laneOf, LANES_OF_ACCOUNTS, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toStoredEvent, type EventRow } from '#event-log/event-row.js';

/**
 * A call in the log by its id, as it is stored. `accountId`: whose it must be; null: anybody's. The
 * lane is known by the account; without one, all lanes are asked by their index.
 */
export async function findCall(
  pool: pg.Pool,
  accountId: string | null,
  callId: string,
): Promise<StoredEvent | undefined> {
  const { rows } = await pool.query<EventRow>({
    name: 'find-call',
    text: `select ${EVENT_COLUMNS} from event e
            where e.lane = any($1::smallint[]) and e.call_id = $2 and e.type = 'CallMade'`,
    values: [accountId === null ? LANES_OF_ACCOUNTS : [laneOf(accountId)], callId],
  });
  return rows.map(toStoredEvent).find((row) => accountId === null || row.accountId === accountId);
}
