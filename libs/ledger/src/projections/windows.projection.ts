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
import { queryByGroup } from '#event-log/query-by-group.js';

export const WINDOWS = 'windows';
export const WINDOWS_VERSION = 4;

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
    tables: ['window_usage', 'day_usage', 'usage_reached'],
    wants: {
      name: `${WINDOWS}-${every}`,
      condition: () =>
        `${MILESTONE} and (e.type in ('WindowClosed', 'MonthClosed') or e.account_version % ${every} = 0)`,
    },
    after: LEDGER,
    collect: () => new CallChanges(calendar, read),
    async apply(events, client) {
      const unread: UnsummedCalls[] = [];
      const sums: UsageSums[] = [];
      const reached = new Map<string, number>();
      for (const calls of await unsummed(
        client,
        events.filter((event) => read.isLast(event)),
      )) {
        const known = read.of(calls.after, calls.last);
        if (known === undefined) {
          unread.push(calls);
          continue;
        }
        sums.push(known);
        reached.set(calls.last.accountId, calls.last.accountVersion);
      }
      if (reached.size > 0) await saveSums(client, sums, reached);
      for (const part of inParts(unread, callsIn, SPAN_EVENTS)) {
        await sumCalls(client, part, calendar);
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
  const rows = await queryByGroup<{ account_id: string; version: number }, string>(
    client,
    ids,
    laneOf,
    (own, inGroup) => ({
      name: 'usage-reached',
      text: `select account_id, version from unnest($1::int2[], $2::uuid[]) as wanted (lane, account_id)
             join usage_reached u using (lane, account_id) where ${inGroup('u')}`,
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
  private readonly since = new Map<string, UsageSums>();
  private sums = new Map<string, UsageSums>();
  private reached = new Map<string, number>();
  size = 0;

  constructor(
    private readonly calendar: Calendar,
    private readonly read: ReadSums,
  ) {}

  add(stored: StoredEvent): void {
    if (stored.lane === SYSTEM_LANE) return;
    const { accountId } = stored;
    const call = storedCall(stored);
    if (call !== undefined) sumsOf(this.since, accountId).add(call, this.calendar);
    if (!this.read.isLast(stored)) return;
    const since = sumsOf(this.since, accountId);
    this.since.delete(accountId);
    this.reached.set(accountId, stored.accountVersion);
    sumsOf(this.sums, accountId).addAll(since);
    this.size += since.size + 1;
  }

  async write(client: pg.ClientBase): Promise<void> {
    const { sums, reached } = this;
    this.sums = new Map();
    this.reached = new Map();
    this.size = 0;
    if (reached.size > 0) await saveSums(client, [...sums.values()], reached);
  }
}

function sumsOf(sums: Map<string, UsageSums>, accountId: string): UsageSums {
  const found = sums.get(accountId) ?? new UsageSums();
  sums.set(accountId, found);
  return found;
}
