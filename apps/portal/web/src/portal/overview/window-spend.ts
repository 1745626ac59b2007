import { addDays, DAYS_A_WEEK, shortDay, tuesdayOf, weekday } from '../../format/days.js';
import type { Usage } from '../../rest/answers.js';

/** One day of the window beside the same weekday of the one before and of the mean of several. */
export interface DaySpend {
  readonly day: string;
  readonly name: string;
  readonly credits: number;
  readonly before: number;
  /** Credits that are still to come on that day. */
  readonly expected: number;
  readonly isAhead: boolean;
}

const MINUTE_MS = 60_000;
const WEEK_MS = DAYS_A_WEEK * 86_400_000;

/** Credits by day of the running window and of the one before; days without calls have none. */
export function spendByDay(
  usage: readonly Usage[],
  expected: readonly { readonly day: string; readonly credits: number }[],
  days: readonly string[],
  today: string,
): DaySpend[] {
  const byDay = new Map<string, number>();
  for (const { day, credits_used: credits } of usage) {
    if (day) byDay.set(day, (byDay.get(day) ?? 0) + credits);
  }
  return days.map((day) => ({
    day,
    name: `${weekday(day)} ${Number(day.slice(8))}`,
    credits: byDay.get(day) ?? 0,
    before: byDay.get(addDays(day, -DAYS_A_WEEK)) ?? 0,
    expected: expected.find((one) => one.day === day)?.credits ?? 0,
    isAhead: day > today,
  }));
}

/**
 * A week before a moment, to the minute: what was spent until then in the window before compares
 * with what is spent in this one by now.
 */
export function aWeekBefore(now: string): string {
  const minute = Math.floor(Date.parse(now) / MINUTE_MS) * MINUTE_MS;
  return new Date(minute - WEEK_MS).toISOString();
}

/** Credits of one window by kind of call. */
export interface WindowSpend {
  readonly window: string;
  readonly name: string;
  readonly base: number;
  readonly repeat: number;
  readonly repeats: number;
}

/** Base against repeat for each window, in their order. */
export function spendByWindow(usage: readonly Usage[]): WindowSpend[] {
  const windows = new Map<string, { base: number; repeat: number; repeats: number }>();
  for (const { window, kind, credits_used: credits, calls } of usage) {
    if (!window) continue;
    const sums = windows.get(window) ?? { base: 0, repeat: 0, repeats: 0 };
    if (kind === 'base') sums.base += credits;
    else {
      sums.repeat += credits;
      sums.repeats += calls;
    }
    windows.set(window, sums);
  }
  return [...windows]
    .map(([window, sums]) => ({ window, name: shortDay(tuesdayOf(window)), ...sums }))
    .sort((one, other) => (one.window < other.window ? -1 : 1));
}
