import type pg from 'pg';
import type { Calendar } from '#calendar/calendar.js';
import type { Day } from '#calendar/window.js';
import { laneOf } from '#event-log/event-log.js';
import { projectedVersion, versionAt, type Stretch } from './account-history.js';
import type { AccountHistory } from './account-history.js';

/** Bounds of the sums: inclusive and exclusive, ms since 1970; null: from the first, or now. */
export interface Period {
  readonly from: number | null;
  readonly to: number | null;
}

/** Where the calls of a period are: each in the rows of a day, or in the log, never in both. */
export interface UsageSource {
  /** Labels of the days whose rows count, the second exclusive; null: no row does. */
  readonly days: { readonly from: string; readonly to: string } | null;
  /** Stretches to read from the log, in its order. */
  readonly stretches: readonly Stretch[];
}

const FIRST_LABEL = '';
/** Sorts after every label of a day. */
const END_LABEL = '~';

/**
 * Whole days come from rows; parts of days, and what is not projected yet, from the log. `byCall`:
 * rows do not know what is asked, so all of it is in the log.
 */
export async function usageSource(
  client: pg.ClientBase,
  history: AccountHistory,
  { from, to }: Period,
  calendar: Calendar,
  byCall: boolean,
): Promise<UsageSource> {
  const before = (moment: number): Promise<number> => versionAt(client, history, moment - 1);
  const fromVersion = async () => (from === null ? 0 : before(from));
  const toVersion = async () => (to === null ? history.version : before(to));
  const firstDay = from === null ? null : firstDayFrom(calendar, from);
  const endDay = to === null ? null : calendar.dayAt(to);
  const isWithinDays = firstDay !== null && endDay !== null && firstDay.startsAt >= endDay.startsAt;
  const projected = byCall || isWithinDays ? 0 : await projectedVersion(client, history);
  if (projected === 0) {
    return { days: null, stretches: stretch(await fromVersion(), await toVersion()) };
  }
  const head = firstDay === null || firstDay.startsAt === from;
  const tail = endDay === null || endDay.startsAt === to;
  const whole = async (): Promise<Stretch[]> => {
    const after = firstDay === null ? 0 : await before(firstDay.startsAt);
    const upTo = endDay === null ? history.version : await before(endDay.startsAt);
    return stretch(Math.max(projected, after), upTo);
  };
  return {
    days: { from: firstDay?.label ?? FIRST_LABEL, to: endDay?.label ?? END_LABEL },
    stretches: [
      ...(head ? [] : stretch(await fromVersion(), await before(firstDay.startsAt))),
      ...(projected === history.version ? [] : await whole()),
      ...(tail ? [] : stretch(await before(endDay.startsAt), await toVersion())),
    ],
  };
}

function stretch(after: number, upTo: number): Stretch[] {
  return after < upTo ? [{ after, upTo }] : [];
}

/** The first day that begins at a moment or later. */
function firstDayFrom(calendar: Calendar, moment: number): Day {
  const day = calendar.dayAt(moment);
  return day.startsAt === moment ? day : calendar.dayAt(day.endsAt);
}

/** Days of the calls in stretches of the log, ascending; the last call is at `until` or before. */
export async function daysOf(
  client: pg.ClientBase,
  accountId: string,
  [first]: readonly Stretch[],
  until: number,
  calendar: Calendar,
): Promise<readonly Day[]> {
  if (first === undefined) return [];
  const { rows } = await client.query<{ at: number }>({
    name: 'moment-of-version',
    text: `select (extract(epoch from at) * 1000)::int8 as at from event
            where lane = $1 and account_id = $2 and account_version = $3`,
    values: [laneOf(accountId), accountId, first.after + 1],
  });
  const days: Day[] = [];
  let moment = rows[0]?.at ?? until;
  while (moment <= until) {
    const day = calendar.dayAt(moment);
    days.push(day);
    moment = day.endsAt;
  }
  return days;
}
