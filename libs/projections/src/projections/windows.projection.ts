import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { laneOf, SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import { MILESTONE } from '#event-log/milestones.js';
import type { Projection, RowChanges } from '#event-log/projection.js';
import { LEDGER } from './ledger.projection.js';
import { inParts } from './parts.js';
import { ReadSums } from './read-sums.js';
import { storedCall } from './stored-calls.js';
import { saveSums, sumCalls, type UnsummedCalls } from './usage-rows.js';
import { UsageSums } from './usage-sums.js';
import type { PartSums, VersionRange } from './window-parts.js';
import { queryByLane } from '#event-log/query-by-lane.js';

export const WINDOWS = 'windows';
export const WINDOWS_VERSION = 5;

/** About so many events are summed by one statement. */
const SPAN_EVENTS = 50_000;

/**
 * Calls of accounts: by window and key (specification 3), and by day and resource. The rows of an
 * account hold its first events, up to the version in `usage_reached`; whoever reads sums the rest.
 * Few calls are written this way instead of each, and an account with few calls has no rows.
 * `read`: sums of calls that were read for another projection.
 */
export function windowsProjection(calendar: Calendar, read = new ReadSums(calendar)): Projection {
  const { every } = read;
  return {
    name: WINDOWS,
    version: WINDOWS_VERSION,
    tables: ['window_part', 'day_usage', 'usage_reached'],
    wants: {
      name: `${WINDOWS}-${every}`,
      condition: `${MILESTONE} and (e.type in ('WindowClosed', 'MonthClosed') or e.account_version % ${every} = 0)`,
    },
    after: LEDGER,
    collect: () => new CallChanges(calendar, read),
    async apply(events, client) {
      const unread: UnsummedCalls[] = [];
      const parts: PartSums[] = [];
      for (const calls of await unsummed(
        client,
        events.filter((event) => read.isLast(event)),
      )) {
        const known = read.of(calls.after, calls.last);
        if (known === undefined) {
          unread.push(calls);
          continue;
        }
        const { accountId, accountVersion: upTo } = calls.last;
        parts.push({ accountId, after: calls.after, upTo, sums: known });
      }
      if (parts.length > 0) await saveSums(client, parts, parts, every);
      for (const part of inParts(unread, callsIn, SPAN_EVENTS)) {
        await sumCalls(client, part, calendar, every);
      }
    },
  };
}

function callsIn({ after, last }: UnsummedCalls): number {
  return last.accountVersion - after;
}

/** Accounts of these events whose rows are to be written, each up to the last of them. */
async function unsummed(
  client: pg.ClientBase,
  events: readonly StoredEvent[],
): Promise<readonly UnsummedCalls[]> {
  if (events.length === 0) return [];
  const lastOf = new Map(events.map((event) => [event.accountId, event]));
  const ids = [...lastOf.keys()];
  const rows = await queryByLane<{ account_id: string; version: number }, string>(
    client,
    ids,
    laneOf,
    (own) => ({
      name: 'usage-reached',
      text: `select account_id, version from unnest($1::int2[], $2::uuid[]) as wanted (lane, account_id)
             join usage_reached u using (lane, account_id)`,
      values: [own.map(laneOf), own],
    }),
  );
  const reached = new Map(rows.map((row) => [row.account_id, row.version]));
  return [...lastOf.values()]
    .map((last) => ({ last, after: reached.get(last.accountId) ?? 0 }))
    .filter(({ last, after }) => last.accountVersion > after);
}

class CallChanges implements RowChanges {
  /** By account, since its rows were written, and to be written. */
  private readonly since = new Map<string, SumsSince>();
  private parts: PartSums[] = [];
  private reached = new Map<string, VersionRange>();
  size = 0;

  constructor(
    private readonly calendar: Calendar,
    private readonly read: ReadSums,
  ) {}

  add(stored: StoredEvent): void {
    if (stored.lane === SYSTEM_LANE) return;
    const { accountId, accountVersion: upTo } = stored;
    const since = this.since.get(accountId) ?? { after: upTo - 1, sums: new UsageSums() };
    this.since.set(accountId, since);
    const call = storedCall(stored);
    if (call !== undefined) since.sums.add(call, this.calendar);
    if (!this.read.isLast(stored)) return;
    this.since.delete(accountId);
    this.parts.push({ accountId, upTo, ...since });
    const after = this.reached.get(accountId)?.after ?? since.after;
    this.reached.set(accountId, { accountId, after, upTo });
    this.size += since.sums.size + 1;
  }

  async write(client: pg.ClientBase): Promise<void> {
    const { parts, reached } = this;
    this.parts = [];
    this.reached = new Map();
    this.size = 0;
    if (parts.length > 0) {
      await saveSums(client, parts, [...reached.values()], this.read.every);
    }
  }
}

/** Sums of an account's calls after a version. */
interface SumsSince {
  readonly after: number;
  readonly sums: UsageSums;
}
