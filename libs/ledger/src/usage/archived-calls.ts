import type pg from 'pg';
import type { ArchivedData } from '#backup/archives/archived-data.js';
import { IS_ARCHIVED } from '#event-log/archived-call.js';
import { laneOf, type StoredEvent } from '#event-log/event-log.js';
import { EVENT_COLUMNS, toEventInLog, type EventRow } from '#event-log/event-row.js';
import type { Stretch } from './account-history.js';

/** So many calls are in memory at a time. */
const CALLS_AT_ONCE = 10_000;

/**
 * The archived calls of an account in stretches of the log, with their data from files. Throws
 * ArchivedCallsError where a file is not at hand.
 */
export async function* archivedCalls(
  client: pg.ClientBase,
  archives: ArchivedData,
  accountId: string,
  stretches: readonly Stretch[],
): AsyncGenerator<readonly StoredEvent[]> {
  for (const { after: first, upTo } of stretches) {
    let after: number | undefined = first;
    while (after !== undefined) {
      const { rows }: pg.QueryResult<EventRow> = await client.query<EventRow>({
        name: 'archived-calls',
        text: `select ${EVENT_COLUMNS} from event e
                where e.lane = $1 and e.account_id = $2 and e.type = 'CallMade'
                  and e.account_version > $3 and e.account_version <= $4 and ${IS_ARCHIVED}
                order by e.account_version limit ${CALLS_AT_ONCE}`,
        values: [laneOf(accountId), accountId, after, upTo],
      });
      if (rows.length > 0) yield await archives.fill(client, rows.map(toEventInLog));
      after = rows.length < CALLS_AT_ONCE ? undefined : rows.at(-1)?.account_version;
    }
  }
}
