import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import { formatDate, parseDate } from '#calendar/civil-date.js';
import type { Window } from '#calendar/window.js';
import type { AccountLoader } from '#projections/loading/account-loader.js';
import { findProfiles } from '#projections/texts/profiles.js';
import { CALL_RECORD } from '#projections/usage/call-conditions.js';
import type { AccountReads } from '#projections/views/account-reads.js';
import type { Summary } from './summary.schemas.js';
import { queryAllLanes } from '#event-log/query-by-lane.js';

const ACCOUNTS_MAX = 10;
const WINDOW_DAYS = 7;

type Changes = Summary['changes'];
type Span = Changes['span'];

interface Parts {
  readonly pool: pg.Pool;
  readonly calendar: Calendar;
  readonly loader: Pick<AccountLoader, 'loadCores'>;
  readonly reads: Pick<AccountReads, 'usage'>;
}

/** The same whole days of two windows. */
export interface Spans {
  readonly span: Span;
  readonly before: Span;
  readonly days: number;
}

/**
 * The days of the running window that are over, and the same ones of the window before; on the
 * first day of a window the two before it, whole. `now`: ms since 1970.
 */
export function spansAt(calendar: Calendar, now: number): Spans {
  const running = calendar.windowAt(now);
  const over = dayOf(calendar, now) - dayOf(calendar, running.startsAt);
  const window = over > 0 ? running : calendar.previousWindow(running);
  const days = over > 0 ? over : WINDOW_DAYS;
  const spanOf = (of: Window): Span => {
    const first = dayOf(calendar, of.startsAt);
    return { window: of.label, from: formatDate(first), to: formatDate(first + days) };
  };
  return { span: spanOf(window), before: spanOf(calendar.previousWindow(window)), days };
}

/**
 * Accounts whose spending changed most. Their states, which sum up windows by days, say which;
 * their sums are then read as exactly as those of their usage.
 */
export async function readChanges(parts: Parts, now: number, test: boolean): Promise<Changes> {
  const { pool, calendar, loader, reads } = parts;
  const spans = spansAt(calendar, now);
  const { span, before } = spans;
  const ids = await findChanged(pool, calendar, spans, test);
  const { accounts } = await loader.loadCores(ids);
  const names = await findProfiles(
    pool,
    [...accounts.values()].map(({ state }) => state.profile),
  );
  const spent = async (id: string, { from, to }: Span): Promise<number> => {
    const bounds = { from: calendar.startOfDate(from), to: calendar.startOfDate(to) };
    const sums = await reads.usage(id, { ...EVERYTHING, ...bounds });
    return sums?.items[0]?.credits_used ?? 0;
  };
  const found: Changes['accounts'][number][] = [];
  for (const [id, { state }] of accounts) {
    const [credits, credits_before] = [await spent(id, span), await spent(id, before)];
    const difference = credits - credits_before;
    const account_name = names.get(state.profile)?.name ?? null;
    if (difference === 0) continue;
    found.push({ account_id: id, account_name, credits, credits_before, difference });
  }
  const size = ({ difference }: { readonly difference: number }): number => Math.abs(difference);
  return { span, before, accounts: found.toSorted((a, b) => size(b) - size(a)) };
}

const EVERYTHING = { by: [], after: null, limit: 1, asOf: null } as const;

/** Rows of accounts sum up windows by day; the log has the calls behind a row, 255 at most. */
async function findChanged(
  pool: pg.Pool,
  calendar: Calendar,
  { span, before, days }: Spans,
  test: boolean,
): Promise<readonly string[]> {
  const moments = [span.from, span.to, before.from, before.to].map((date) =>
    new Date(calendar.startOfDate(date)).toISOString(),
  );
  const rows = await queryAllLanes<{ id: string; size: string }>(pool, {
    name: 'summary-changes',
    text: `select a.account_id as id, abs(row.change + behind.change)::text as size
             from ledger_account a
            cross join lateral (${IN_ROW}) row
            cross join lateral (${BEHIND_ROW}) behind
            where row.change + behind.change <> 0 and (a.state ->> 'test')::boolean = $8
            order by abs(row.change + behind.change) desc, a.account_id limit ${ACCOUNTS_MAX}`,
    values: [span.window, before.window, days, ...moments, test],
  });
  return rows
    .toSorted((a, b) => Number(b.size) - Number(a.size) || (a.id < b.id ? -1 : 1))
    .slice(0, ACCOUNTS_MAX)
    .map(({ id }) => id);
}

const IN_ROW = `
  select coalesce(sum(case when w ->> 'window' = $1 then s.credits else -s.credits end), 0) as change
    from json_array_elements(a.state -> 'rhythm') w
   cross join lateral (
     select sum(d.credits::bigint) as credits
       from (select * from json_array_elements_text(w -> 'base') with ordinality
             union all
             select * from json_array_elements_text(w -> 'repeats') with ordinality) d (credits, day)
      where d.day <= $3) s
   where w ->> 'window' in ($1, $2)`;

const BEHIND_ROW = `
  select coalesce(sum(case when e.at >= $4 and e.at < $5 then 1 when e.at >= $6 and e.at < $7 then -1
                           else 0 end * ((c.cost ->> 0)::bigint + (c.cost ->> 1)::bigint)), 0) as change
    from event e cross join lateral ${CALL_RECORD}
   where e.lane = a.lane and e.account_id = a.account_id and e.account_version > a.version
     and e.type = 'CallMade'`;

function dayOf(calendar: Calendar, at: number): number {
  const day = parseDate(calendar.dayAt(at).label);
  if (day === undefined) throw new RangeError(`${at} lies on no day.`);
  return day;
}
