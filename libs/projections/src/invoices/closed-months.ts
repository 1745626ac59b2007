import type pg from 'pg';
import type { MonthClosed } from '#account/periods.js';
import type { CallKind } from '#account/terms.js';
import type { Calendar } from '#calendar/calendar.js';
import type { MonthFacts, UsageSum } from '#invoice-rules/month-facts.js';
import { isMonthly, movementsOf, voidedSince } from '#invoice-rules/movements.js';
import { laneOf } from '#event-log/event-log.js';
import { stateAfter } from '../snapshots/account-snapshots.js';
import {
  MOVING,
  readChanges,
  readOpeningGrants,
  readVoids,
  type PlacedEvent,
} from '../events/month-events.js';
import { LEDGER } from '../projections/ledger.projection.js';
import { LEDGER_VERSION } from '../snapshots/account-row.js';
import { membersOfDay } from '../projections/sums-of-day.js';
import { WINDOWS, WINDOWS_VERSION } from '../projections/windows.projection.js';
import { queryByLane } from '#event-log/query-by-lane.js';

/** Names one closed month of an account: versions of its first event and of its close. */
export interface ClosedMonth {
  readonly accountId: string;
  readonly firstVersion: number;
  readonly closeVersion: number;
}

/** All that an invoice of a closed month is made of. */
export interface MonthReading {
  readonly accountId: string;
  readonly close: MonthClosed;
  /** Moment of the close, ms since 1970. */
  readonly closedAt: number;
  /** Credits of each window as far as it lies in the month, by its label. */
  readonly windows: ReadonlyMap<string, number>;
  readonly facts: MonthFacts;
}

interface ClosedMonthFacts {
  readonly month: ClosedMonth;
  readonly close: PlacedEvent & { readonly data: MonthClosed };
  readonly before: MonthClosed | null;
  readonly events: readonly PlacedEvent[];
}

/**
 * Reads closed months, at most one of each account, in the snapshot of the transaction under way.
 * Those whose calls are not in the rows of days yet are left out: they come when they are asked for
 * again. Calls are read from the rows of days: `readLogUsage` is what they are held against.
 */
export async function readClosedMonths(
  client: pg.ClientBase,
  months: readonly ClosedMonth[],
  calendar: Calendar,
): Promise<MonthReading[]> {
  const closed = await readCloses(client, months);
  const reached = await readReached(client);
  const ready = closed.filter(
    ({ close: { stored } }) => (reached.get(stored.lane) ?? 0) >= stored.position,
  );
  const left = await Promise.all(ready.map((one) => readLeft(client, one)));
  const opening = await readOpeningGrants(
    client,
    left.map(({ opening: grants }, index) => ({
      accountId: ready[index]?.month.accountId ?? '',
      left: grants,
    })),
  );
  const usage = await readDays(client, ready, calendar);
  const later = await readLaterVoids(client, ready);
  return ready.map((one, index) => {
    const { accountId } = one.month;
    const grants = opening.get(accountId) ?? [];
    const rows = usage.get(accountId) ?? [];
    const facts = factsOf(one, usageOf(rows), grants, left[index]?.closing ?? []);
    const { data: close, event } = one.close;
    const since = voidedSince(facts.movements, later.get(accountId) ?? []);
    const windows = creditsOfWindows(rows);
    return { accountId, close, closedAt: event.at, windows, facts: { ...facts, ...since } };
  });
}

async function readCloses(
  client: pg.ClientBase,
  months: readonly ClosedMonth[],
): Promise<ClosedMonthFacts[]> {
  const ranges = months.map(({ accountId, firstVersion, closeVersion }) => ({
    accountId,
    first: firstVersion - 1,
    last: closeVersion,
  }));
  const found = await readChanges(client, ranges, ['MonthClosed', ...MOVING]);
  return months.map((month) => {
    const events = found.get(month.accountId) ?? [];
    const last = events.at(-1);
    if (last?.event.type !== 'MonthClosed' || last.stored.accountVersion !== month.closeVersion) {
      throw new Error(`Event ${month.closeVersion} of ${month.accountId} closes no month.`);
    }
    const [first] = events;
    const isClose = first !== last && first?.event.type === 'MonthClosed';
    const before = isClose && first.event.type === 'MonthClosed' ? first.event.data : null;
    return { month, close: { ...last, data: last.event.data }, before, events };
  });
}

/** Voids after the closes of months with purchases, by account. */
function readLaterVoids(client: pg.ClientBase, closed: readonly ClosedMonthFacts[]) {
  const bought = closed.filter(({ events }) =>
    events.flatMap(({ event }) => movementsOf(event)).some(isMonthly),
  );
  return readVoids(
    client,
    bought.map(({ month: { accountId, closeVersion } }) => ({
      accountId,
      first: closeVersion + 1,
    })),
  );
}

/** How far the rows of days and accounts have come, by lane; those of another version: nowhere. */
async function readReached(client: pg.ClientBase): Promise<ReadonlyMap<number, number>> {
  const { rows } = await client.query<{ lane: number; position: number }>({
    name: 'month-reached',
    text: `select lane, min(position) as position from checkpoint
            where (projection, version) in (($1, $2::int), ($3, $4::int))
            group by lane having count(*) = 2`,
    values: [WINDOWS, WINDOWS_VERSION, LEDGER, LEDGER_VERSION],
  });
  return new Map(rows.map(({ lane, position }) => [lane, position]));
}

type GrantRests = readonly (readonly [grant: number, left: number])[];

/** The rest of grants before and after a month; an old close does not record it. */
async function readLeft(
  client: pg.ClientBase,
  { month, close, before }: ClosedMonthFacts,
): Promise<{ readonly opening: GrantRests; readonly closing: GrantRests }> {
  const leftAt = async (version: number): Promise<GrantRests> => {
    const { grants } = await stateAfter(client, month.accountId, version);
    return grants.map(({ ordinal, left }) => [ordinal, left] as const);
  };
  return {
    opening: before === null ? [] : (before.grants ?? (await leftAt(month.firstVersion - 1))),
    closing: close.data.grants ?? (await leftAt(month.closeVersion)),
  };
}

function factsOf(
  { close: { data: close }, before, events }: ClosedMonthFacts,
  usage: readonly UsageSum[],
  opening: MonthFacts['opening']['grants'],
  left: GrantRests,
): MonthFacts {
  const { balance_before: balance, overage, carried } = close;
  return {
    month: close.month,
    plan: close.plan,
    usage,
    opening: { balance: before?.balance ?? 0, grants: opening },
    movements: events.flatMap(({ event }) => movementsOf(event)),
    closing: { balance, overage, carried, grants: left },
    version: close.account_version,
  };
}

interface UsageRow {
  readonly account_id: string;
  readonly window: string;
  readonly rule: string;
  readonly kind: CallKind;
  readonly calls: number;
  readonly credits: number;
}

function byAccount(rows: readonly UsageRow[]): ReadonlyMap<string, readonly UsageRow[]> {
  const found = new Map<string, UsageRow[]>();
  for (const row of rows) {
    const own = found.get(row.account_id);
    if (own === undefined) found.set(row.account_id, [row]);
    else own.push(row);
  }
  return found;
}

/** By rule and kind, in the order of the rows. */
function usageOf(rows: readonly UsageRow[]): readonly UsageSum[] {
  const sums = new Map<string, { rule: string; kind: CallKind; calls: number; credits: number }>();
  for (const { rule, kind, calls, credits } of rows) {
    const known = sums.get(`${kind} ${rule}`) ?? { rule, kind, calls: 0, credits: 0 };
    known.calls += calls;
    known.credits += credits;
    sums.set(`${kind} ${rule}`, known);
  }
  return [...sums.values()];
}

function creditsOfWindows(rows: readonly UsageRow[]): ReadonlyMap<string, number> {
  const windows = new Map<string, number>();
  for (const { window, credits } of rows) {
    windows.set(window, (windows.get(window) ?? 0) + credits);
  }
  return windows;
}

async function readDays(
  client: pg.ClientBase,
  closed: readonly ClosedMonthFacts[],
  calendar: Calendar,
): Promise<ReadonlyMap<string, readonly UsageRow[]>> {
  const days = closed.map(({ month: { accountId }, close: { data } }) => {
    const month = calendar.monthOf(data.month);
    if (month === undefined) throw new Error(`${data.month} is the label of no month.`);
    const to = calendar.dayAt(month.endsAt - 1).label;
    return { accountId, from: calendar.dayAt(month.startsAt).label, to };
  });
  const rows = await queryByLane<UsageRow, (typeof days)[number]>(
    client,
    days,
    ({ accountId }) => laneOf(accountId),
    (own) => ({
      name: 'months-usage',
      // Account by account, so that nothing is grouped which stands together already.
      text: `select wanted.account_id, s.window, s.rule, s.kind, s.calls, s.credits
             from unnest($1::smallint[], $2::uuid[], $3::text[], $4::text[])
                  as wanted (lane, account_id, first_day, last_day)
            cross join lateral (
              select window_label as window, rule, kind, sum(calls)::bigint as calls,
                     sum(call_cost + data_cost)::bigint as credits
                from (select d.window_label,
                             ${membersOfDay('rule', 'kind', 'calls', 'call_cost', 'data_cost')}
                        from day_usage d
                       where d.lane = wanted.lane
                         and d.account_id = wanted.account_id
                         and d.day between wanted.first_day and wanted.last_day) u
               group by rule, kind, window_label order by rule, kind, window_label) s`,
      values: [
        own.map(({ accountId }) => laneOf(accountId)),
        own.map(({ accountId }) => accountId),
        own.map(({ from }) => from),
        own.map(({ to }) => to),
      ],
    }),
  );
  return byAccount(rows);
}
