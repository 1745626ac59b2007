import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { laneOf, SYSTEM_LANE, type StoredEvent } from '#event-log/event-log.js';
import { MILESTONE_EVERY } from '#event-log/milestones.js';
import type { Projection, RowChanges } from '#event-log/projection.js';
import { inParts } from './parts.js';
import { storedCall } from './stored-calls.js';
import { saveSums, sumCalls, type UnsummedCalls } from './usage-rows.js';
import { UsageSums } from './usage-sums.js';

export const WINDOWS = 'windows';
export const WINDOWS_VERSION = 3;

/** So many calls of an account are at most summed by whoever reads. The last is a milestone. */
const SUMMED_EVERY = 32 * MILESTONE_EVERY;
/** About so many events are summed by one statement. */
const SPAN_EVENTS = 50_000;

/** Whether the rows of an account are written with this event: invoices read those of a month. */
function isSummed({ lane, type, accountVersion }: StoredEvent, every: number): boolean {
  if (lane === SYSTEM_LANE) return false;
  return type === 'MonthClosed' || accountVersion % every === 0;
}

/**
 * Calls of accounts: by window and key (specification 3), and by day and resource. The rows of an
 * account hold its first events, up to the version in `usage_reached`; whoever reads sums the rest.
 * Few calls are written this way instead of each, and an account with few calls has no rows.
 * `every`: after so many events of an account its rows are written.
 */
export function windowsProjection(calendar: Calendar, every = SUMMED_EVERY): Projection {
  return {
    name: WINDOWS,
    version: WINDOWS_VERSION,
    tables: ['window_usage', 'usage_day', 'usage_reached'],
    wants: 'milestones',
    collect: () => new CallChanges(calendar, every),
    async apply(events, client) {
      const last = new Map(
        events
          .filter((event) => isSummed(event, every))
          .map((event) => [event.accountId, event.accountVersion]),
      );
      const accounts = await unsummed(client, last);
      for (const part of inParts(accounts, ({ after, upTo }) => upTo - after, SPAN_EVENTS)) {
        await sumCalls(client, part, calendar);
      }
    },
  };
}

async function unsummed(
  client: pg.ClientBase,
  upTo: ReadonlyMap<string, number>,
): Promise<readonly UnsummedCalls[]> {
  if (upTo.size === 0) return [];
  const ids = [...upTo.keys()];
  const { rows } = await client.query<{ account_id: string; version: number }>({
    name: 'usage-reached',
    text: `select account_id, version from unnest($1::int2[], $2::uuid[]) as wanted (lane, account_id)
             join usage_reached using (lane, account_id)`,
    values: [ids.map(laneOf), ids],
  });
  const reached = new Map(rows.map((row) => [row.account_id, row.version]));
  return [...upTo]
    .map(([accountId, version]) => ({
      accountId,
      after: reached.get(accountId) ?? 0,
      upTo: version,
    }))
    .filter((one) => one.upTo > one.after);
}

class CallChanges implements RowChanges {
  /** By account, since its rows were written, and to be written. */
  private readonly since = new Map<string, UsageSums>();
  private sums = new Map<string, UsageSums>();
  private reached = new Map<string, number>();
  size = 0;

  constructor(
    private readonly calendar: Calendar,
    private readonly every: number,
  ) {}

  add(stored: StoredEvent): void {
    if (stored.lane === SYSTEM_LANE) return;
    const { accountId } = stored;
    const call = storedCall(stored);
    if (call !== undefined) sumsOf(this.since, accountId).add(call, this.calendar);
    if (!isSummed(stored, this.every)) return;
    const since = sumsOf(this.since, accountId);
    this.since.delete(accountId);
    this.reached.set(accountId, stored.accountVersion);
    sumsOf(this.sums, accountId).addAll(since);
    this.size += since.keys.size + since.days.size + 1;
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
