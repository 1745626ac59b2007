const DAY_MS = 86_400_000;
/** No zone is further from UTC than 14 hours, so that local midnight lies within this of UTC's. */
const REACH_MS = 16 * 3_600_000;

/** A zone's offset from UTC at an instant, both in milliseconds; positive east of Greenwich. */
export type OffsetAt = (instant: number) => number;

/**
 * The first instant (ms since 1970) whose local date is the given day or a later one.
 *
 * A day may begin at 01:00 because the clock was put forward at midnight, may be missing altogether
 * (its start is then that of the next day), and may be entered twice because the clock was put back
 * over midnight: its start is the first entry. Starts never run backwards from day to day, so that
 * spans of days tile all of time.
 *
 * Relies on no zone changing its offset twice within 32 hours; the closest two changes since 1990
 * lie 168 hours apart (Brazil, October 2000).
 */
export function startOfDay(day: number, offsetAt: OffsetAt): number {
  const midnight = day * DAY_MS;
  const offsetBefore = offsetAt(midnight - REACH_MS);
  const offsetAfter = offsetAt(midnight + REACH_MS);
  const byOffsetBefore = midnight - offsetBefore;
  if (offsetBefore === offsetAfter) return byOffsetBefore;
  const change = offsetChange(midnight - REACH_MS, midnight + REACH_MS, offsetAt);
  return byOffsetBefore < change ? byOffsetBefore : Math.max(change, midnight - offsetAfter);
}

/** The first instant of the later offset, between two instants that one change lies between. */
function offsetChange(from: number, to: number, offsetAt: OffsetAt): number {
  const offsetBefore = offsetAt(from);
  let before = from;
  let after = to;
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (offsetAt(middle) === offsetBefore) before = middle;
    else after = middle;
  }
  return after;
}
