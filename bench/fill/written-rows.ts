import type { Calendar } from '#calendar/calendar.js';
import type { NewEvent } from '#event-log/event-log.js';
import { isMilestone } from '#event-log/milestones.js';

/**
 * Whether the ledger writes an account's row with each of its events, which are asked for in their
 * order: as the projection does for an account without a test clock.
 */
export function writtenRows(calendar: Calendar): (event: NewEvent) => boolean {
  let settledUntil = 0;
  return (event) => {
    const { type, at } = event;
    const isWritten = isMilestone(event) || at >= settledUntil;
    if (isWritten && type === 'CallMade') {
      const ends = [calendar.windowAt(at).endsAt, calendar.monthAt(at).endsAt];
      settledUntil = Math.max(settledUntil, Math.min(...ends));
    }
    return isWritten;
  };
}
